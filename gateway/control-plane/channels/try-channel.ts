import type { ChannelTestView, UpstreamModelList } from '@weir/shared/catalog/channels';
import type { LearnedField } from '../../catalog/snapshot.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import type { Answer, Audited, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, onlyRow } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { learnedField, readLearnedRefusals } from '../targets/learned-refusal-row.ts';
import { testView, type TestRow } from './channel-health.ts';
import { findChannel, type ChannelRow } from './channel-row.ts';
import {
  listModels,
  probeModel,
  type ProbeAnswer,
  type ProbeOptions,
} from '../../data-plane/channel-probe.ts';
import { proxiesOf } from '../../data-plane/upstream/choose-proxy.ts';
import { hideSecrets } from '../../request-history/upstream-message.ts';

/** A person waits for the answer. */
export const TEST_TIMEOUT_MS = 30_000;
export const REPLY_CHARACTERS_MAX = 500;
const ERROR_CHARACTERS_MAX = 2_000;
/**
 * Characters that are searched for secrets: more than are kept, so that none is cut in half at the
 * end.
 */
const ERROR_READ_CHARACTERS_MAX = 4_000;

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
      'The credential was encrypted under another SECRET_KEY. Set SECRET_KEY_PREVIOUS to that one, or enter the credential again.',
    );
  }
}

/**
 * The settings that lead to an upstream, of a saved channel or of one that is about to be saved.
 */
export type ProbedChannel = Omit<
  ChannelRow,
  | 'status'
  | 'balanceApi'
  | 'models'
  | 'groupIds'
  | 'credentials'
  | 'lastTest'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** The fields that its upstream has refused; absent: unknown. */
  readonly learned?: readonly LearnedField[];
};

/** The channel as the request path sees it, except for models, groups and credentials. */
export function probeOptions(
  context: AdminContext,
  channel: ProbedChannel,
  credential: string | null,
  timeoutMs = TEST_TIMEOUT_MS,
): ProbeOptions {
  const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs, totalTimeoutMs } = channel;
  return {
    channel: {
      ...channel,
      baseUrl: channel.baseUrl.replace(/\/+$/, ''),
      credentials: [],
      models: [],
      groupIds: [],
      timeouts: {
        connectMs: connectTimeoutMs,
        firstByteMs: firstByteTimeoutMs,
        idleMs: idleTimeoutMs,
        totalMs: totalTimeoutMs,
      },
    },
    credential,
    allowPrivate: channel.allowPrivate || context.config.allowPrivateUpstreams,
    proxies: proxiesOf(context.config),
    ...(context.minter && { minter: context.minter }),
    timeoutMs,
  };
}

/** Text that PostgreSQL can keep: it has no U+0000. */
export function keepable(text: string, charactersMax: number): string {
  return text.replaceAll('\0', '\uFFFD').slice(0, charactersMax);
}

/** The upstream's words without credentials, which some upstreams repeat. */
export function errorText({ text }: ProbeAnswer, credential: string | null): string {
  const hidden = hideSecrets(text.slice(0, ERROR_READ_CHARACTERS_MAX), credential);
  return keepable(hidden === '' ? 'An empty answer.' : hidden, ERROR_CHARACTERS_MAX);
}

interface TrialResult {
  readonly ok: boolean;
  readonly httpStatus: number | null;
  readonly reply: string | null;
  readonly error: string | null;
}

async function keepTest(
  call: Call<'testChannel'>,
  test: TrialResult & { readonly upstreamName: string; readonly latencyMs: number },
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
  const startedMs = performance.now();
  const learned = (await readLearnedRefusals(context.pool, channel.id)).map(learnedField);
  const options = probeOptions(context, { ...channel, learned }, credential);
  const result = await probeModel(
    { ...options, chosenProfile: model.profile ?? null },
    model.upstreamName,
  );
  return keepTest(call, {
    ok: result.ok,
    httpStatus: result.status,
    reply: result.reply === null ? null : keepable(result.reply, REPLY_CHARACTERS_MAX),
    error: result.ok ? null : errorText(result, credential),
    upstreamName: model.upstreamName,
    latencyMs: Math.round(performance.now() - startedMs),
  });
}

export async function listUpstreamModels(
  call: Call<'listUpstreamModels'>,
): Promise<UpstreamModelList | Refusal> {
  const { context, params } = call;
  const channel = await findChannel(context.pool, params.channelId);
  if (channel === undefined) return refuse('not_found', 'There is no such channel.');
  const credential = await credentialOf(context, channel.id, undefined);
  if (typeof credential === 'object' && credential !== null) return credential;
  const names = await listModels(probeOptions(context, channel, credential));
  if ('text' in names) {
    const status = names.status === null ? '' : `HTTP ${names.status}: `;
    const error = errorText(names, credential);
    return refuse('upstream_error', `The upstream gave no list of models. ${status}${error}`);
  }
  return { data: await joinOurs(context, names) };
}

/** An upstream's names of models, sorted, each once, with our model of the same public ID. */
export async function joinOurs(
  context: AdminContext,
  names: readonly string[],
): Promise<UpstreamModelList['data']> {
  const { rows } = await context.pool.query<{ id: string; publicId: string }>(OUR_MODELS, [names]);
  const ours = new Map(rows.map(({ id, publicId }) => [publicId, id]));
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sorted = [...new Set(names)].toSorted(compare);
  return sorted.map((name) => ({ upstreamName: name, modelId: ours.get(name) ?? null }));
}
