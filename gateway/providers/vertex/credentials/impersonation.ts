import { parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import type { Mint, MintedSecret, MintFailure, TokenReply } from '../../minting.ts';
import { SCOPE } from './service-account.ts';

/**
 * Has a service account's token made by one that may do so, as
 * `projects.serviceAccounts.generateAccessToken` of the IAM Credentials API.
 * @param source how the token of the caller is obtained
 */
export function mintByImpersonation(source: Mint, url: string): Mint {
  return async (context) => {
    const caller = await source(context);
    if ('failed' in caller) return caller;
    const headers = ['authorization', `Bearer ${caller.secret}`];
    const reply = await context.ask({ url, headers, json: { scope: [SCOPE] } });
    return 'failed' in reply ? reply : readReply(reply, context.nowMs);
  };
}

/** `{accessToken, expireTime}`. */
function readReply({ status, body }: TokenReply, nowMs: number): MintedSecret | MintFailure {
  const { accessToken: secret, expireTime } = parseOwnObject(body) ?? {};
  const lifetimeMs = Date.parse(stringOf(expireTime)) - nowMs;
  if (status === 200 && typeof secret === 'string' && lifetimeMs > 0) return { secret, lifetimeMs };
  return {
    failed: `The service account cannot be impersonated: HTTP ${status}. The caller needs the role "Service Account Token Creator" on it.`,
  };
}
