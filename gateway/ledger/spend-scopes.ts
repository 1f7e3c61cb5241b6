import type { Budget, Payer, SpendScope } from './ledger.ts';

export interface SpendLevel {
  readonly scope: SpendScope;
  readonly budgets: readonly Budget[];
}

/**
 * The scopes of a payer in the order in which a hold checks them. A team and a member are there
 * without budgets too: their spend is counted. The account is there with budgets alone.
 */
export function spendLevelsOf({ account, team, member }: Payer): SpendLevel[] {
  const levels: SpendLevel[] = [];
  if (account.budgets !== undefined && account.budgets.length > 0) {
    levels.push({ scope: 'account', budgets: account.budgets });
  }
  if (team) levels.push({ scope: `team:${team.id}`, budgets: team.budgets });
  if (member) levels.push({ scope: `member:${member.id}`, budgets: member.budgets });
  return levels;
}

/** The field of an account's hash in Redis (redis/lua/accounts.lua). */
export function scopeField(scope: SpendScope): string {
  if (scope === 'account') return 'b';
  return `${scope.slice(0, 1)}${scope.slice(scope.indexOf(':') + 1)}`;
}
