import {
  isOpenaiLike,
  type UpstreamProbeView,
  type UpstreamTestView,
} from '@weir/shared/catalog/channels';
import { CHANNEL_PROTOCOLS, type ChannelProtocol } from '@weir/shared/catalog/protocols';
import {
  upstreamCandidates,
  type UpstreamCandidate,
} from '@weir/shared/catalog/upstream-candidates';
import {
  askModels,
  combined,
  probeBothWays,
  servesEndpoint,
  type ModelListing,
  type ProbeOptions,
} from '../../data-plane/channel-probe.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { providerOf } from '../../providers/registry.ts';
import { spokenProtocols } from '../../providers/spoken-protocols.ts';
import type { Answer, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { audit } from '../audit/audit-log.ts';
import type { AuditReceipt } from '../audit/audit-receipt.ts';
import {
  errorText,
  joinOurs,
  keepable,
  probeOptions,
  REPLY_CHARACTERS_MAX,
  TEST_TIMEOUT_MS,
  type ProbedChannel,
} from './try-channel.ts';
import { refuseBaseUrl, refuseUnfitKind } from './write-channel.ts';

/** Several addresses may be asked one after the other while a person waits. */
const PROBE_TIMEOUT_MS = 10_000;

/** An access key of AWS. */
const ACCESS_KEY = /^A[A-Z0-9]{15,}:/;
const HAS_CREDENTIAL = /^(?:[a-z]+:\/\/)?[^/]*@/i;

interface Access {
  readonly credential?: string;
  readonly proxy?: string | null;
  readonly allowPrivate?: boolean;
}

interface Way extends UpstreamCandidate {
  readonly protocols: ChannelProtocol[] | null;
}

/** A channel that has not been saved, with the defaults that it would be saved with. */
function optionsOf(
  context: AdminContext,
  { kind, baseUrl, protocols }: Way,
  access: Access & Partial<Pick<ProbedChannel, 'outputLimitField' | 'omittedFields'>>,
  timeoutMs: number,
): ProbeOptions {
  const channel: ProbedChannel = {
    id: '',
    name: '',
    kind,
    baseUrl,
    priority: 0,
    weight: 1,
    connectTimeoutMs: Math.min(timeoutMs, 5_000),
    firstByteTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
    totalTimeoutMs: timeoutMs,
    concurrencyMax: null,
    outputLimitField: access.outputLimitField ?? null,
    omittedFields: access.omittedFields ?? [],
    locations: [],
    protocols,
    fieldPolicy: 'known',
    storesResponses: false,
    proxy: access.proxy ?? null,
    allowPrivate: access.allowPrivate ?? false,
  };
  return probeOptions(context, channel, access.credential ?? null, timeoutMs);
}

interface Tried {
  readonly candidate: UpstreamCandidate;
  readonly listing: ModelListing;
}

/** An upstream that lists its models as Anthropic does speaks Messages. */
function kindListed({ candidate, listing }: Tried): UpstreamCandidate['kind'] {
  const isAnthropic =
    /"type"\s*:\s*"model"/.test(listing.text) && !/"object"\s*:/.test(listing.text);
  return candidate.kind === 'openai' && isAnthropic ? 'anthropic' : candidate.kind;
}

/** Tries one after the other until one lists its models; a host that is away is asked once. */
async function tryCandidates(
  candidates: readonly UpstreamCandidate[],
  optionsFor: (candidate: UpstreamCandidate) => ProbeOptions,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const listing = await askModels(optionsFor(candidate));
    tried.push({ candidate, listing });
    if (listing.names !== undefined || listing.status === null) break;
  }
  return tried;
}

const KEY_REFUSED = [401, 403];
/** There is no such path, or it cannot be asked for anything. */
const NOT_THERE = [404, 405, 501];

function refusedProbe({ listing }: Tried, credential: string | undefined): Refusal {
  const text = errorText(listing, credential ?? null);
  if (listing.isUnminted === true) {
    return refuse('upstream_error', text, { param: 'credential' });
  }
  const status = listing.status === null ? '' : `HTTP ${String(listing.status)}: `;
  if (KEY_REFUSED.includes(listing.status ?? 0)) {
    const what = credential === undefined ? 'asks for a key' : 'refuses the key';
    const message = `The upstream ${what}. ${status}${text}`;
    return refuse('upstream_error', message, { param: 'credential' });
  }
  const what =
    listing.status === null ? 'No upstream answers there.' : 'There is no known API there.';
  return refuse('upstream_error', `${what} ${status}${text}`, { param: 'address' });
}

/** A channel without a list of models is of the first kind whose endpoint is there. */
async function withoutList(
  tried: readonly Tried[],
  optionsFor: (candidate: UpstreamCandidate) => ProbeOptions,
): Promise<UpstreamCandidate | undefined> {
  for (const { candidate, listing } of tried) {
    const { kind, baseUrl } = candidate;
    // Its list is another service's, for which the role that generates is not enough.
    if (kind === 'vertex' && [403, 404].includes(listing.status ?? 0)) return candidate;
    const [protocol] = spokenProtocols(providerOf(kind), null, { upstreamModel: 'none', baseUrl });
    if (protocol === undefined || protocol === 'gemini') continue;
    if (!NOT_THERE.includes(listing.status ?? 0)) continue;
    if (await servesEndpoint(optionsFor(candidate), protocol)) return candidate;
  }
  return undefined;
}

/** Null for what is usual: Responses alone is served by few, and is said where it is there. */
async function protocolsOf(options: ProbeOptions): Promise<UpstreamProbeView['protocols']> {
  if (!isOpenaiLike(options.channel.kind)) return null;
  if (!(await servesEndpoint(options, 'openai-responses'))) return null;
  const others = CHANNEL_PROTOCOLS.filter(
    (id) => id !== 'openai-chat' && id !== 'openai-responses',
  );
  return ['openai-chat', 'openai-responses', ...others];
}

function candidatesFor(
  address: string,
  kind: UpstreamCandidate['kind'] | undefined,
  credential: string | undefined,
): readonly UpstreamCandidate[] | undefined {
  const all = upstreamCandidates(address);
  // What signs requests is a secret that no request may carry.
  const only = kind ?? (ACCESS_KEY.test(credential ?? '') ? 'bedrock' : undefined);
  if (only !== undefined) {
    const ofKind = all?.filter((candidate) => candidate.kind === only);
    return ofKind?.length === 0 ? all?.slice(0, 1) : ofKind;
  }
  // Keys of Anthropic say whose they are.
  const first = credential?.startsWith('sk-ant-') === true ? 'anthropic' : undefined;
  const isFirst = (candidate: UpstreamCandidate) => candidate.kind === first;
  return all && [...all.filter(isFirst), ...all.filter((candidate) => !isFirst(candidate))];
}

/** Finds out what an upstream is by its address and a key, without sending it any prompt. */
export async function probeUpstream(call: Call<'probeUpstream'>): Answer<'probeUpstream'> {
  const { context, body } = call;
  const { address, kind, ...access } = body;
  if (HAS_CREDENTIAL.test(address)) {
    const message = 'The address has a credential in it. Put that into its own field.';
    return refuse('invalid_value', message, { param: 'address' });
  }
  const candidates = candidatesFor(address, kind, access.credential);
  const [first] = candidates ?? [];
  if (candidates === undefined || first === undefined) {
    const message = `"${address}" is no address. Write one such as "https://api.example.com/v1".`;
    return refuse('invalid_value', message, { param: 'address' });
  }
  const { allowPrivate = false } = access;
  const refused = await refuseBaseUrl(context, { ...first, allowPrivate });
  if (refused !== undefined) return { ...refused, param: 'address' };
  const optionsFor = (candidate: UpstreamCandidate) =>
    optionsOf(context, { ...candidate, protocols: null }, access, PROBE_TIMEOUT_MS);
  const tried = await tryCandidates(candidates, optionsFor);
  const listed = tried.find(({ listing }) => listing.names !== undefined);
  const found =
    listed === undefined
      ? await withoutList(tried, optionsFor)
      : { ...listed.candidate, kind: kindListed(listed) };
  if (found === undefined) {
    // What refuses the key is there, whatever else is not.
    const worst = tried.find(({ listing }) => KEY_REFUSED.includes(listing.status ?? 0));
    return refusedProbe(worst ?? tried[0] ?? unasked(first), access.credential);
  }
  const view: UpstreamProbeView = {
    ...found,
    protocols: await protocolsOf(optionsFor(found)),
    listsModels: listed !== undefined,
    models: await joinOurs(context, listed?.listing.names ?? []),
  };
  const after = { kind: view.kind, baseUrl: view.baseUrl, modelsCount: view.models.length };
  return { view, audit: await auditAsked(call, after) };
}

/** An entry says where a key was sent, and never the key. */
function auditAsked(
  call: Call<'probeUpstream' | 'testUpstream'>,
  after: { readonly baseUrl: string },
): Promise<AuditReceipt> {
  const { pool } = call.context;
  return audit(pool, call, { kind: 'upstream', id: after.baseUrl, before: null, after });
}

function unasked(candidate: UpstreamCandidate): Tried {
  return { candidate, listing: { status: null, text: '', names: undefined } };
}

/** A proxy whose host cannot be read would throw where it is connected to. */
function refuseProxy(proxy: string | null | undefined): Refusal | undefined {
  if (proxy == null || proxy === 'none' || URL.canParse(proxy)) return undefined;
  return refuse('invalid_value', 'The proxy is not an address.', { param: 'proxy' });
}

/** Asks a model as a channel would, whole and streamed. */
export async function testUpstream(call: Call<'testUpstream'>): Answer<'testUpstream'> {
  const { context, body } = call;
  const { kind, baseUrl, upstreamName, protocols = null, ...access } = body;
  const refused =
    refuseUnfitKind({ kind, protocols, storesResponses: false }, {}) ??
    refuseProxy(access.proxy) ??
    (await refuseBaseUrl(context, { kind, baseUrl, allowPrivate: access.allowPrivate ?? false }));
  if (refused !== undefined) return refused;
  const options = optionsOf(context, { kind, baseUrl, protocols }, access, TEST_TIMEOUT_MS);
  const outcome = await probeBothWays(options, upstreamName);
  const result = combined(outcome);
  const { streamed, streamedMs, whole, wholeMs } = outcome;
  const view: UpstreamTestView = {
    ok: result.ok,
    upstreamName,
    latencyMs: Math.round(wholeMs),
    httpStatus: result.status,
    reply: whole.reply === null ? null : keepable(whole.reply, REPLY_CHARACTERS_MAX),
    error: result.ok ? null : errorText(result, access.credential ?? null),
    streamed: streamed && { ok: streamed.ok, latencyMs: Math.round(streamedMs) },
  };
  const { ok, httpStatus } = view;
  const after = { baseUrl, upstreamName, ok, httpStatus };
  return { view, audit: await auditAsked(call, after) };
}
