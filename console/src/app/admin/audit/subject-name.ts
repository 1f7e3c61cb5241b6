import type { AuditEntryView } from '@weir/shared/people/audit-entries';
import { fieldsOf } from '../../core/format/differences';

/**
 * Fields of views that name what an act was done to, the best first: an order, a credit or a
 * subscription goes by whose it is.
 */
const NAMING_FIELDS = ['name', 'publicId', 'email', 'accountName'] as const;

/**
 * The name of an entry's subject after the act, or before it where there is no after; `undefined`
 * where neither has one.
 */
export function subjectName({
  subjectId,
  names,
  before,
  after,
}: Pick<AuditEntryView, 'subjectId' | 'names' | 'before' | 'after'>): string | undefined {
  for (const view of [after, before]) {
    const fields = fieldsOf(view);
    for (const field of NAMING_FIELDS) {
      const name = fields.get(field);
      if (typeof name === 'string' && name !== '') return name;
    }
  }
  return names[subjectId];
}
