import { MEMBER_PERMISSIONS, MEMBER_ROLES } from '@weir/shared/api/permissions';

const ROLES = MEMBER_ROLES.filter((role) => MEMBER_PERMISSIONS[role].includes('billing.manage'))
  .map((role) => `'${role}'`)
  .join(', ');

/**
 * The SQL condition that a member `m` with the user `u` is mailed about the account's money: they
 * can do something about it, and may log in.
 */
export const IS_BILLING_MEMBER = `
  m.ended_at is null and m.role in (${ROLES}) and u.disabled_at is null`;
