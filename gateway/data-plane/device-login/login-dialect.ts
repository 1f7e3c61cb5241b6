import { isBudgetCode } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { KeySpend } from '../../protocols/tool-replies.ts';
import type { Principal } from '../authentication/principal.ts';
import type { ActiveRequest } from '../request-path.ts';

type Request = Pick<ActiveRequest, 'endpoint' | 'dialect' | 'context'>;

/** Returns the dialect of a login's replies, with warnings once its limits have been read. */
export function loginDialect({ keyId }: Principal, request: Request): ReplyDialect {
  const { endpoint, dialect, context } = request;
  const { toolReplies } = endpoint.protocol;
  // Clouds have headers of their own.
  if (toolReplies === undefined || 'cloud' in endpoint || !('creates' in endpoint)) return dialect;
  const cap = context.spendStandings.last(keyId)?.caps[0];
  return cap === undefined ? dialect : toolReplies.withStanding(dialect, cap);
}

/** Lets a refusal by a budget say to a login when that budget resets. Returns the refusal. */
export async function explainRefusal(
  { isLogin, keyId }: Principal,
  refusal: Refusal,
  request: ActiveRequest,
): Promise<Refusal> {
  const { endpoint, dialect, context } = request;
  const { toolReplies } = endpoint.protocol;
  const { refused } = refusal;
  if (!isLogin || toolReplies === undefined || 'cloud' in endpoint) return refusal;
  if (!isBudgetCode(refused)) return refusal;
  const spend = await context.spendStandings.readAgain(keyId);
  const cap = spend === undefined ? undefined : spentCap(spend, refused);
  if (cap !== undefined) request.dialect = toolReplies.withSpentCap(dialect, cap);
  return refusal;
}

/** The fullest limit of the level that the refusal names. */
function spentCap({ caps }: KeySpend, refused: string): KeySpend['caps'][number] | undefined {
  return caps.find(({ kind }) => refused === `${kind}_budget_exceeded`);
}
