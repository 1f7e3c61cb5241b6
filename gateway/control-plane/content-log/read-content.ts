import type { ContentView } from '@weir/shared/watch/content-log';
import type { ContentOutcome } from '@weir/shared/watch/content-outcomes';
import { permits } from '@weir/shared/api/permissions';
import { contentKeptSince } from '../../content-log/content-kept.ts';
import { openContent } from '../../content-log/seal-content.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { auditIn } from '../audit/audit-log.ts';

/** The same for content of others, so that no one learns whose requests have any. */
const NO_CONTENT = refuse(
  'not_found',
  'No content of this request is kept for you. It is kept only while the owner of the key has switched that on, and only they read it.',
);

const NOT_SHARED = refuse(
  'role_required',
  'This account does not let operators read its content. An owner of the account can allow it for a while on the account page.',
);

const FORMER_KEY = refuse(
  'state_conflict',
  'This content was encrypted under a former SECRET_KEY. Set SECRET_KEY_PREVIOUS to it to read the content.',
);

interface ContentRow {
  readonly accountId: string;
  readonly keyId: string;
  readonly ownerMemberId: string;
  /** Null for a key of the account. */
  readonly keyMemberId: string | null;
  readonly supportAllowed: boolean;
  readonly outcome: ContentOutcome;
  readonly requestBytes: number;
  readonly replyBytes: number;
  readonly cutAtBytes: number | null;
  readonly keptUntil: Date;
  readonly sealId: string | null;
  readonly sealed: Buffer | null;
}

const FIND = `
  select r.account_id as "accountId", r.key_id as "keyId",
    k.content_log_member_id::text as "ownerMemberId", k.member_id::text as "keyMemberId",
    coalesce(a.content_support_until > now(), false) as "supportAllowed", r.outcome,
    r.request_bytes as "requestBytes", r.reply_bytes as "replyBytes",
    r.cut_at_bytes as "cutAtBytes", r.seal_id as "sealId", r.sealed,
    r.created_at + make_interval(days => least(k.content_log_days, $2)) as "keptUntil"
  from content_records r join keys k on k.id = r.key_id join accounts a on a.id = r.account_id
  where r.request_id = $1 and k.status <> 'deleted' and k.content_log_member_id is not null
    and r.created_at >= ${contentKeptSince('$2')}`;

async function findContent(
  db: Database,
  { config }: Pick<AdminContext, 'config'>,
  requestId: string,
): Promise<ContentRow | undefined> {
  return (await db.query<ContentRow>(FIND, [requestId, config.contentLogDaysMax])).rows[0];
}

function isOwner(caller: Identity, row: ContentRow): boolean {
  if (row.accountId !== caller.accountId || row.ownerMemberId !== caller.memberId) return false;
  // A person who no longer manages the account's keys does not read them either.
  return row.keyMemberId !== null || permits(caller, 'keys.all');
}

export async function getOwnContent({
  context,
  params,
  caller,
}: Call<'getOwnContent'>): Promise<ContentView | Refusal> {
  const row = await findContent(context.pool, context, params.requestId);
  if (row === undefined || !isOwner(caller, row)) return NO_CONTENT;
  return contentView(context, params.requestId, row);
}

/** The entry is written before an operator sees anything. */
export function getContent(call: Call<'getContent'>): Answer<'getContent'> {
  const { context, params } = call;
  const { requestId } = params;
  return inTransaction(context.pool, async (client) => {
    const row = await findContent(client, context, requestId);
    if (row === undefined) return NO_CONTENT;
    if (!row.supportAllowed) return NOT_SHARED;
    const view = await contentView(context, requestId, row);
    if ('refused' in view) return view;
    const change = { kind: 'key', id: row.keyId, before: null, after: { requestId } };
    return { view, audit: await auditIn(row.accountId, client, { call, change }) };
  });
}

async function contentView(
  { secrets }: Pick<AdminContext, 'secrets'>,
  requestId: string,
  row: ContentRow,
): Promise<ContentView | Refusal> {
  const { accountId, outcome, cutAtBytes, sealId, sealed } = row;
  const keptUntil = row.keptUntil.toISOString();
  if (sealId === null || sealed === null) {
    return { requestId, outcome, request: null, reply: null, cutAtBytes, keptUntil };
  }
  const opened = await openContent(secrets, { requestId, accountId }, { sealId, sealed });
  if (opened === undefined) return FORMER_KEY;
  const request = { ...textOf(opened.request), bytes: row.requestBytes };
  const reply = { ...textOf(opened.reply), bytes: row.replyBytes };
  return { requestId, outcome, request, reply, cutAtBytes, keptUntil };
}

function textOf(bytes: Buffer): { readonly encoding: 'utf8' | 'base64'; readonly text: string } {
  try {
    // As a part of a stream: a character that was cut through at the end is left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return { encoding: 'utf8', text };
  } catch {
    return { encoding: 'base64', text: bytes.toString('base64') };
  }
}
