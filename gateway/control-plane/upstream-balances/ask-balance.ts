import type { BalanceApi } from '@weir/shared/prices/upstream-balances';
import { askPath, type ProbeAnswer } from '../../data-plane/channel-probe.ts';
import { cleanMessage, upstreamMessage } from '../../request-history/upstream-message.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import type { AdminContext } from '../api/context.ts';
import type { ChannelRow } from '../channels/channel-row.ts';
import { probeOptions } from '../channels/try-channel.ts';
import { questionsOf, type Balance } from './balance-apis.ts';

/** A balance, or why there is none. */
export type BalanceAnswer = Balance | { readonly error: string };

/** Accounts of one channel; more credentials are not asked. */
const CREDENTIALS_MAX = 10;
const ASK_TIMEOUT_MS = 10_000;

const CREDENTIALS = `
  select sealed from channel_credentials where channel_id = $1 and status = 'active'
  order by created_at, id limit ${String(CREDENTIALS_MAX)}`;

const NO_CREDENTIAL = { error: 'The channel has no active credential.' };
const UNREADABLE = {
  error: 'A credential was encrypted under another SECRET_KEY and cannot be decrypted.',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The upstream's words, without the credential and shortened. */
function errorOf({ status, text }: ProbeAnswer, credential: string): string {
  if (status === null) return cleanMessage(text) ?? 'There was no answer.';
  const secrets = { credential, body: Buffer.alloc(0) };
  const words = upstreamMessage(status, Buffer.from(text), secrets);
  if (status === 200) return 'The reply has no balance.';
  return words === null || words === '' ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
}

async function askWith(
  context: AdminContext,
  channel: ChannelRow,
  { api, credential }: { readonly api: BalanceApi; readonly credential: string },
): Promise<BalanceAnswer> {
  // What is no address is reported when it is used.
  const baseUrl = URL.canParse(channel.baseUrl) ? new URL(channel.baseUrl).origin : channel.baseUrl;
  const options = probeOptions(context, { ...channel, baseUrl }, credential, ASK_TIMEOUT_MS);
  let error: string | undefined;
  for (const { path, read } of questionsOf(api)) {
    const answer = await askPath(options, path);
    const found = answer.status === 200 ? read(parse(answer.text)) : undefined;
    if (found !== undefined) return found;
    error ??= errorOf(answer, credential);
  }
  return { error: error ?? '' };
}

/**
 * Asks a channel's upstream for what is left there. Credentials may be of several accounts: the
 * least counts, since requests of that one fail first, and one that cannot be read is an error.
 */
export async function askBalance(
  context: AdminContext,
  channel: ChannelRow,
  api: BalanceApi,
): Promise<BalanceAnswer> {
  const { rows } = await context.pool.query<{ sealed: string }>(CREDENTIALS, [channel.id]);
  let least: Balance | undefined;
  for (const { sealed } of rows) {
    let credential: string;
    try {
      credential = unseal(context.secrets, sealed);
    } catch {
      return UNREADABLE;
    }
    const answer = await askWith(context, channel, { api, credential });
    if ('error' in answer) return answer;
    if (least === undefined || answer.nano < least.nano) least = answer;
  }
  return least ?? NO_CREDENTIAL;
}
