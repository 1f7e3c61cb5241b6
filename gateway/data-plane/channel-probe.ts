/**
 * Sends one real, minimal request to a channel on the path of clients' requests: the same provider,
 * the same writer and reader of its protocol, the same connections. So a channel that passes
 * serves, and one that fails shows the upstream's own words.
 */
import type { Route } from '../catalog/catalog.ts';
import { embeds } from '../catalog/model-endpoints.ts';
import type { ChannelEntry } from '../catalog/snapshot.ts';
import { isRefusal } from '../platform/errors/refusal.ts';
import { PROBE_TOKENS_MAX, probeOf, type Probe } from '../protocols/neutral-form/probe.ts';
import { isGenerating } from '../protocols/neutral-form/translations/translate.ts';
import { ScannedBody } from '../protocols/fields/field-path.ts';
import type { Target, UpstreamProtocol, UpstreamProtocolId } from '../protocols/protocol.ts';
import { upstreamProtocolOf } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { spokenProtocols } from '../providers/spoken-protocols.ts';
import { askUpstream, isSecretRefused } from './ask-upstream.ts';
import type { CredentialMinter } from './credentials/credential-minter.ts';
import { locatedRoutes } from './routing/located-routes.ts';
import { learnedFields, targetRules, upstreamPaths } from './routing/served-routes.ts';
import type { ProxySettings } from './upstream/choose-proxy.ts';
import { redirectText } from './upstream/upstream-head.ts';
import { UpstreamPools, type UpstreamRequest } from './upstream/upstream-pools.ts';

export interface ProbeOptions {
  /** Only the fields that lead to the upstream count; credentials come apart. */
  readonly channel: ChannelEntry;
  readonly credential: string | null;
  /** The operator's choice of the model's profile; null or absent: by address and name. */
  readonly chosenProfile?: string | null;
  readonly allowPrivate: boolean;
  /** Exchanges credentials that are not sent as they are; absent: none of them is exchanged. */
  readonly minter?: Pick<CredentialMinter, 'secretFor' | 'replace'>;
  /** Those of the process; none when absent. */
  readonly proxies?: ProxySettings;
  /** For each of the requests. */
  readonly timeoutMs: number;
}

export interface ProbeAnswer {
  /** Null when there was no reply at all. */
  readonly status: number | null;
  /** The body as text, or why there is none. */
  readonly text: string;
  /** Nothing was sent: the credential could not be exchanged. */
  readonly isUnminted?: boolean;
}

export interface ProbeResult extends ProbeAnswer {
  readonly ok: boolean;
  /** The text of the model's reply; null if it could not be read. */
  readonly reply: string | null;
}

const REPLY_BYTES_MAX = 4 * 1024 * 1024;

const NO_GENERATION =
  'A test asks for a short reply, and the protocols of this channel have no way to ask for one.';

/** The model's replies to a whole and a streamed request, and their times. */
export interface ProbeOutcome {
  readonly whole: ProbeResult;
  readonly wholeMs: number;
  /** Null where nothing is streamed: the whole reply failed, or the model embeds. */
  readonly streamed: ProbeResult | null;
  readonly streamedMs: number;
}

/** Asks a model for a short reply, whole and then streamed; one that embeds for an embedding. */
export async function probeBothWays(
  asked: ProbeOptions,
  upstreamModel: string,
): Promise<ProbeOutcome> {
  const startedMs = performance.now();
  const options = atFirstLocation(asked, upstreamModel);
  const { kind } = options.channel;
  const { findFailure } = providerOf(kind);
  const probe = probeOf(
    spokenBy(options.channel, upstreamModel),
    embeds(upstreamModel),
    findFailure,
  );
  if (probe === undefined) {
    const whole = { ok: false, status: null, text: NO_GENERATION, reply: null };
    return { whole, wholeMs: 0, streamed: null, streamedMs: 0 };
  }
  const whole = await tryProbe(options, { probe, upstreamModel, stream: false });
  const wholeMs = performance.now() - startedMs;
  if (!whole.ok || probe.operation === 'embed') {
    return { whole, wholeMs, streamed: null, streamedMs: 0 };
  }
  const streamed = await tryProbe(options, { probe, upstreamModel, stream: true });
  return { whole, wholeMs, streamed, streamedMs: performance.now() - startedMs - wholeMs };
}

/** The location that requests for the model go to first. */
function atFirstLocation(options: ProbeOptions, upstreamModel: string): ProbeOptions {
  const { channel } = options;
  const [first] = locatedRoutes({ channel, upstreamModel });
  return first === undefined ? options : { ...options, channel: first.channel };
}

/** The same as one result: it works only if both ways do. */
export async function probeModel(
  options: ProbeOptions,
  upstreamModel: string,
): Promise<ProbeResult> {
  return combined(await probeBothWays(options, upstreamModel));
}

/** Combines the results of both requests into one. */
export function combined({ whole, streamed }: ProbeOutcome): ProbeResult {
  if (streamed === null || streamed.ok) return whole;
  return { ...streamed, text: `A whole reply is fine, a streamed one is not: ${streamed.text}` };
}

/** An upstream's reply to the question for its models. */
export interface ModelListing extends ProbeAnswer {
  /** Undefined when the reply is no list of models. */
  readonly names: readonly string[] | undefined;
}

/** Asks for the upstream's list of models. */
export async function askModels(options: ProbeOptions): Promise<ModelListing> {
  const { models } = providerOf(options.channel.kind);
  const { baseUrl } = options.channel;
  const spoken = spokenBy(options.channel, '').find((one) => isGenerating(one));
  const channel = { ...options.channel, baseUrl: models.baseUrl?.(baseUrl) ?? baseUrl };
  const answer = await ask(
    { ...options, channel },
    {
      method: 'GET',
      path: models.path(baseUrl),
      headers: [
        ...(spoken?.neutralForm.upstreamHeaders ?? []),
        ...(models.headers?.(baseUrl) ?? []),
      ],
      stream: false,
    },
  );
  const names = answer.status === 200 ? models.names(parse(answer.text)) : undefined;
  return { ...answer, names };
}

/** Asks for the upstream's list of models: their names, or what came instead. */
export async function listModels(options: ProbeOptions): Promise<readonly string[] | ProbeAnswer> {
  const { names, ...answer } = await askModels(options);
  return names ?? answer;
}

/** Statuses that an existing endpoint replies to an empty request with. */
const COMPLAINTS: ReadonlySet<number | null> = new Set([200, 400, 415, 422]);

/**
 * Sends an empty request, which costs nothing: an endpoint that exists complains about the body,
 * not about the path.
 */
export async function servesEndpoint(
  options: ProbeOptions,
  protocol: UpstreamProtocolId,
): Promise<boolean> {
  const { channel } = options;
  const complains = async (path: string): Promise<boolean> => {
    const headers = upstreamProtocolOf(protocol).neutralForm?.upstreamHeaders ?? [];
    const question = { path, headers, body: Buffer.from('{}'), stream: false };
    const { status } = await ask(options, question);
    return COMPLAINTS.has(status);
  };
  const { path } = upstreamPaths({ channel, upstreamModel: 'none' }, protocol, 'generate');
  return (await complains(path)) && !(await complains(`${path}/no-such-path`));
}

/** Asks for what a path has, with the credential as most vendors take it. */
export function askPath(options: ProbeOptions, path: string): Promise<ProbeAnswer> {
  const { credential } = options;
  const headers = credential === null ? [] : ['authorization', `Bearer ${credential}`];
  return ask({ ...options, credential: null }, { method: 'GET', path, headers, stream: false });
}

function spokenBy(
  { kind, baseUrl, protocols }: ChannelEntry,
  upstreamModel: string,
): readonly UpstreamProtocol[] {
  const at = { upstreamModel, baseUrl };
  return spokenProtocols(providerOf(kind), protocols, at).map((id) => upstreamProtocolOf(id));
}

function targetOf(route: Route, upstreamProtocol: UpstreamProtocolId): Target {
  return {
    upstreamModel: route.upstreamModel,
    ...targetRules(route, upstreamProtocol, 'generate'),
    outputLimitField: route.channel.outputLimitField,
    outputTokensMax: PROBE_TOKENS_MAX,
    outputTokensCap: null,
    allocate: (bytes) => Buffer.allocUnsafe(bytes),
  };
}

interface Trial {
  readonly probe: Probe;
  readonly upstreamModel: string;
  readonly stream: boolean;
}

async function tryProbe(
  options: ProbeOptions,
  { probe, upstreamModel, stream }: Trial,
): Promise<ProbeResult> {
  const { channel, chosenProfile = null } = options;
  const route = { channel, upstreamModel, chosenProfile };
  const target = targetOf(route, probe.protocol);
  const body = probe.writeRequest(target, stream);
  if (isRefusal(body)) return { ok: false, status: null, text: body.message, reply: null };
  const refused = learnedFields(route, probe.protocol).map(({ field }) => field);
  const sent = new ScannedBody(Buffer.from(JSON.stringify(body)));
  const paths = upstreamPaths(route, probe.protocol, probe.operation);
  const answer = await ask(options, {
    path: stream ? paths.streamPath : paths.path,
    headers: target.envelope === undefined ? probe.headers : [],
    body: sent.without(refused, (bytes) => Buffer.allocUnsafe(bytes)),
    stream,
  });
  if (answer.status !== 200) return { ...answer, ok: false, reply: null };
  const bytes = Buffer.from(answer.text);
  if (stream) return { ...answer, ok: probe.isWholeStream(bytes), reply: null };
  const reply = probe.readReply(bytes) ?? null;
  return { ...answer, ok: reply !== null, reply };
}

/** One request on a connection of its own, which ends with it. */
async function ask(options: ProbeOptions, request: UpstreamRequest): Promise<ProbeAnswer> {
  const { channel, allowPrivate, proxies, timeoutMs, minter } = options;
  const place = { ...channel, allowPrivate };
  const credential =
    minter === undefined || options.credential === null
      ? options.credential
      : await minter.secretFor(place, options.credential);
  if (credential !== null && typeof credential !== 'string') {
    return { status: null, text: credential.failed, isUnminted: true };
  }
  const pools = new UpstreamPools({ connectionsMax: 1, allowPrivate, ...(proxies && { proxies }) });
  try {
    const access = {
      channel: place,
      provider: providerOf(channel.kind),
      credential,
    };
    const question = { ...request, timeoutMs, replyBytesMax: REPLY_BYTES_MAX };
    let reply = await askUpstream(pools, access, question);
    if (credential !== null && !('failed' in reply) && isSecretRefused(access.provider, reply)) {
      const other = await minter?.replace(place, options.credential ?? '', credential);
      if (other !== undefined) {
        reply = await askUpstream(pools, { ...access, credential: other }, question);
      }
    }
    if ('failed' in reply) return { status: null, text: reply.detail };
    const { status, redirect, body } = reply;
    const led = redirect === null ? '' : `status ${status}${redirectText(reply)}. `;
    return { status, text: led + body.toString('utf8') };
  } finally {
    await pools.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
