import type { InvitationCodeView } from '@weir/shared/people/registrations';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';

export interface InvitationRow {
  readonly id: string;
  readonly sealed: string;
  readonly usesMax: number;
  readonly usesCount: number;
  readonly status: InvitationCodeView['status'];
  readonly expiresAt: Date | null;
  readonly note: string;
  readonly createdAt: Date;
}

export const INVITATION_COLUMNS = `
  id, sealed, uses_max as "usesMax", uses_count as "usesCount", status, expires_at as "expiresAt", note,
  created_at as "createdAt"`;

/** Every invitation code. */
export const INVITATION_LIST: SortedList<object> = {
  select: INVITATION_COLUMNS,
  from: 'invitation_codes',
  id: 'id',
  sort: '-created',
  columns: {
    created: byCreation('id'),
    note: {
      expression: 'left(lower(note), 100)',
      type: 'text',
      shape: TEXT_SHAPE,
    },
    uses: {
      expression: '(uses_max - uses_count)',
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
    status: { expression: 'status', type: 'text', shape: TEXT_SHAPE },
  },
  filter: () => undefined,
};
