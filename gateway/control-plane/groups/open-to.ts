/**
 * Returns the SQL condition that an account may use a group. Whatever shows or uses a group for a
 * customer has it: pages, lists, search, keys and plans.
 * @param account SQL of the account's id; null in SQL is a visitor, for whom public groups are
 * @param group the alias of `groups`
 */
export function openTo(account: string, group = 'g'): string {
  return `(${group}.access = 'public' or exists (
    select from group_accounts open_to where open_to.group_id = ${group}.id and open_to.account_id = ${account}))`;
}
