import type { ChannelTestView, UpstreamModelList } from '@weir/shared/channels';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { outputLimitFieldOf } from '../../protocols/openai-chat/encode-request.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import type { Answer, Audited, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, onlyRow } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findChannel, testView, type ChannelRow, type TestRow } from './channel-row.ts';
import { askUpstream, type UpstreamAnswer } from './upstream-request.ts';

/** A person waits for the answer. */
const TEST_TIMEOUT_MS = 30_000;
const TEST_TOKENS_MAX = 16;
const REPLY_CHARACTERS_MAX = 500;
const ERROR_CHARACTERS_MAX = 2_000;

const CREDENTIAL = `
  select sealed from channel_credentials
  where channel_id = $1 and case when $2::uuid is null then status = 'active' else id = $2 end
  order by created_at, id limit 1`;

const INSERT = `
  insert into channel_tests (id, channel_id, ok, upstream_name, latency_ms, http_status, reply, error)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning id, ok, upstream_name as "upstreamName", latency_ms as "latencyMs", http_status as "httpStatus",
    reply, error, created_at as "createdAt"`;

const OUR_MODELS = 'select id, public_id as "publicId" from models where public_id = any ($1)';

async function credentialOf(
  context: AdminContext,
  channelId: string,
  credentialId: string | undefined,
): Promise<string | Refusal | null> {
  const { rows } = await context.pool.query<{ sealed: string }>(CREDENTIAL, [
    channelId,
    credentialId ?? null,
  ]);
  const [row] = rows;
  if (row === undefined) {
    if (credentialId === undefined) return null;
    return refuse('not_found', 'The channel has no such credential.');
  }
  try {
    return unseal(context.secrets, row.sealed);
  } catch {
    return refuse(
      'state_conflict',
      'The credential was sealed under another SECRET_KEY. Set SECRET_KEY_PREVIOUS to that one, or enter the credential again.',
    );
  }
}

function mayBePrivate(context: AdminContext, channel: ChannelRow): boolean {
  return channel.allowPrivate || context.config.allowPrivateUpstreams;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reply's text; undefined when the answer is no chat completion. */
function replyText(text: string): string | undefined {
  const { choices } = fieldsOf(parse(text));
  if (!Array.isArray(choices)) return undefined;
  const message = fieldsOf(fieldsOf(choices[0])['message']);
  return typeof message['content'] === 'string' ? message['content'] : '';
}

interface Verdict {
  readonly ok: boolean;
  readonly httpStatus: number | null;
  readonly reply: string | null;
  readonly error: string | null;
}

function judge(answer: UpstreamAnswer, credential: string | null): Verdict {
  if (answer.kind === 'failure') {
    return { ok: false, httpStatus: null, reply: null, error: answer.reason };
  }
  const reply = answer.status === 200 ? replyText(answer.text) : undefined;
  const httpStatus = answer.status;
  if (reply !== undefined) {
    return { ok: true, httpStatus, reply: reply.slice(0, REPLY_CHARACTERS_MAX), error: null };
  }
  // Some upstreams repeat the credential in their error.
  const error = answer.text.replaceAll(credential ?? '\0', '•••').slice(0, ERROR_CHARACTERS_MAX);
  return { ok: false, httpStatus, reply: null, error: error === '' ? 'An empty answer.' : error };
}

async function keepTest(
  call: Call<'testChannel'>,
  test: Verdict & { readonly upstreamName: string; readonly latencyMs: number },
): Promise<Audited<ChannelTestView>> {
  const { channelId } = call.params;
  const kept = await inTransaction(call.context.pool, async (client) => {
    const { rows } = await client.query<TestRow>(INSERT, [
      newRequestId(Date.now()),
      channelId,
      test.ok,
      test.upstreamName,
      test.latencyMs,
      test.httpStatus,
      test.reply,
      test.error,
    ]);
    const view = testView(onlyRow(rows));
    return {
      view,
      audit: await audit(client, call, {
        kind: 'channel',
        id: channelId,
        before: null,
        after: view,
      }),
    };
  });
  if ('refused' in kept) throw new Error('a test cannot be refused');
  return kept;
}

/** A real, minimal chat completion, as a gateway would send it. */
export async function testChannel(call: Call<'testChannel'>): Answer<'testChannel'> {
  const { context, params, body } = call;
  const channel = await findChannel(context.pool, params.channelId);
  if (channel === undefined) return refuse('not_found', 'There is no such channel.');
  const model = channel.models.find(
    ({ modelId }) => body.modelId === undefined || modelId === body.modelId,
  );
  if (model === undefined) {
    return refuse('invalid_value', 'The channel serves no such model. Add one to it first.', {
      param: 'modelId',
    });
  }
  const credential = await credentialOf(context, channel.id, body.credentialId);
  if (typeof credential === 'object' && credential !== null) return credential;
  const answer = await askUpstream({
    url: `${channel.baseUrl.replace(/\/+$/, '')}/chat/completions`,
    credential,
    body: {
      model: model.upstreamName,
      messages: [{ role: 'user', content: 'Say "ok".' }],
      [channel.outputLimitField ?? outputLimitFieldOf(model.upstreamName)]: TEST_TOKENS_MAX,
    },
    timeoutMs: TEST_TIMEOUT_MS,
    allowPrivate: mayBePrivate(context, channel),
  });
  const { upstreamName } = model;
  const { latencyMs } = answer;
  return keepTest(call, { ...judge(answer, credential), upstreamName, latencyMs });
}

function modelNames(text: string): string[] | undefined {
  const { data } = fieldsOf(parse(text));
  if (!Array.isArray(data)) return undefined;
  return data.map((item) => fieldsOf(item)['id']).filter((id) => typeof id === 'string');
}

export async function listUpstreamModels(
  call: Call<'listUpstreamModels'>,
): Promise<UpstreamModelList | Refusal> {
  const { context, params } = call;
  const channel = await findChannel(context.pool, params.channelId);
  if (channel === undefined) return refuse('not_found', 'There is no such channel.');
  const credential = await credentialOf(context, channel.id, undefined);
  if (typeof credential === 'object' && credential !== null) return credential;
  const answer = await askUpstream({
    url: `${channel.baseUrl.replace(/\/+$/, '')}/models`,
    credential,
    timeoutMs: TEST_TIMEOUT_MS,
    allowPrivate: mayBePrivate(context, channel),
  });
  const names = answer.kind === 'answer' ? modelNames(answer.text) : undefined;
  if (names === undefined) {
    const { error, httpStatus } = judge(answer, credential);
    const status = httpStatus === null ? '' : `HTTP ${String(httpStatus)}: `;
    return refuse('upstream_error', `The upstream gave no list of models. ${status}${error ?? ''}`);
  }
  const { rows } = await context.pool.query<{ id: string; publicId: string }>(OUR_MODELS, [names]);
  const ours = new Map(rows.map(({ id, publicId }) => [publicId, id]));
  const sorted = names.toSorted((one, other) => one.localeCompare(other, 'en'));
  return { data: sorted.map((name) => ({ upstreamName: name, modelId: ours.get(name) ?? null })) };
}
