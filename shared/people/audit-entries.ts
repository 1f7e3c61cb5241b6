import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, Id, Instant, nullable } from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';

/**
 * One act of an operator, also on their own credentials, or of a member who manages an account.
 * Append-only; secrets are never part of it.
 */
export const AuditEntryView = closed({
  id: Type.Integer(),
  at: Instant,
  /** Null for acts of Weir itself. */
  userId: nullable(Id),
  userEmail: nullable(Type.String()),
  /**
   * The account that a member acted in, or whose content an operator read; null for other acts of
   * operators.
   */
  accountId: nullable(Id),
  /** `session`, the name of the access token, or `link` for a user who followed one from a mail. */
  by: Type.String(),
  address: Type.String(),
  requestId: Type.String(),
  /** The route's operation id: `updateGroup`. */
  action: Type.String(),
  subjectKind: Type.String(),
  subjectId: Type.String(),
  /** The editable fields before and after; null when there was no before or after. */
  before: Type.Unknown(),
  after: Type.Unknown(),
  /** The current names of the ids in the entry, by id; deleted things are missing. */
  names: Type.Unsafe<Record<string, string>>(
    Type.Object({}, { additionalProperties: Type.String() }),
  ),
});
export type AuditEntryView = Static<typeof AuditEntryView>;

export const AUDIT_FILTERS = {
  userId: Type.Optional(Id),
  /** Part of the e-mail address of the user who acted. */
  user: Type.Optional(Type.String({ maxLength: 254 })),
  accountId: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  subjectKind: Type.Optional(Type.String({ maxLength: 100 })),
  /** An object, whatever its kind. Bulk changes that concerned it are among its entries. */
  subjectId: Type.Optional(Type.String({ maxLength: 100 })),
  /** Part of the present name of an object, or its whole id. */
  subject: Type.Optional(Type.String({ maxLength: 254 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

export const AuditEntryListQuery = closed({ ...PAGE_QUERY, ...AUDIT_FILTERS });
export type AuditEntryListQuery = Static<typeof AuditEntryListQuery>;
export const AuditEntryExportQuery = closed(AUDIT_FILTERS);
export const AuditEntryPage = pageOf(AuditEntryView);
export type AuditEntryPage = Static<typeof AuditEntryPage>;
