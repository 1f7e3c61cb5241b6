import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { decodeReply } from '../../../../../gateway/data-plane/relay/decode-reply.ts';
import {
  REQUEST_LIMITS,
  type Codec,
  type ParsedRequest,
  type ProtocolId,
} from '../../../../../gateway/protocols/protocol.ts';
import { codecsFor, ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';
import type { Provider } from '../../../../../gateway/providers/provider.ts';
import { providerOf } from '../../../../../gateway/providers/registry.ts';
import { verdictOn } from '../../../../../gateway/providers/verdict.ts';
import { capUsage } from '../../../../../gateway/data-plane/billing/cap-usage.ts';
import { independentUsage } from './independent-usage.ts';
import { Chance, mutate, packets } from './mutate.ts';
import { PATHS, requestOf, type Client, type Upstream } from './open-paths.ts';
import { replySeeds } from './reply-seeds.ts';

const PROTOCOLS: Readonly<Record<Client, ProtocolId>> = {
  chat: 'openai-chat',
  completions: 'openai-completions',
  embeddings: 'openai-embeddings',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini',
};
const KINDS = { messages: 'anthropic', gemini: 'gemini' } as const;
const LIMITS = { promptTokensMax: 128_000, outputTokensMax: 16_000, choices: 1 };
const COUNTED = { input: 3, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 };

interface Path {
  readonly client: Client;
  readonly upstream: Upstream;
  readonly codec: Codec;
  readonly provider: Provider;
  readonly whole: ParsedRequest;
  readonly streamed: ParsedRequest;
}

function openPath(client: Client, upstream: Upstream): Path {
  const kind = upstream in KINDS ? KINDS[upstream as keyof typeof KINDS] : 'openai';
  const provider = providerOf(kind);
  const parse = (stream: boolean): ParsedRequest => {
    const { path, body } = requestOf(client, 'public-model', stream);
    const [route = '', query = ''] = path.split('?');
    const verb = client === 'gemini' ? (route.split(':')[1] ?? '') : '';
    const endpoint = ENDPOINTS.find(
      ({ protocol, path: known }) => protocol.id === PROTOCOLS[client] && known.endsWith(verb),
    );
    if (endpoint === undefined) throw new Error(`no endpoint for ${path}`);
    const head = { endpoint, pathModel: 'public-model', query, headers: {} };
    const bytes = Buffer.from(JSON.stringify(body));
    const request = endpoint.protocol.parse(bytes, head, REQUEST_LIMITS);
    if (isRefusal(request)) throw new Error(request.message);
    return request;
  };
  const endpoint = ENDPOINTS.find((one) => one.protocol.id === PROTOCOLS[client]);
  const codec = endpoint === undefined ? undefined : codecsFor(endpoint, [PROTOCOLS[upstream]])[0];
  if (codec === undefined) throw new Error(`no way from ${client} to ${upstream}`);
  return { client, upstream, codec, provider, whole: parse(false), streamed: parse(true) };
}

/**
 * Runs so many mutated replies through the codecs of all paths. Throws with what has to be known of
 * the first that fails.
 */
export function runCodecs(count: number, seed: number): void {
  const seeds = replySeeds();
  const paths = PATHS.map(([client, upstream]) => openPath(client, upstream));
  for (let number = 0; number < count; number += 1) {
    const chance = new Chance(seed + number);
    const path = chance.of(paths);
    const text = mutate(chance.of(seeds.get(path.upstream) ?? []), chance);
    try {
      readWhole(path, text);
      if (path.client !== 'embeddings') readStream(path, text, chance);
    } catch (error) {
      const { client, upstream } = path;
      const shown = JSON.stringify(text.slice(0, 3_000));
      throw new Error(`${client} over ${upstream}, seed ${seed + number}: ${shown}`, {
        cause: error,
      });
    }
  }
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

function readWhole({ codec, provider, upstream, whole }: Path, text: string): void {
  const body = Buffer.from(text);
  const reply = decodeReply(body, whole, { codec, provider });
  if ('failed' in reply) {
    verdictOn(reply, provider);
    return;
  }
  JSON.parse(reply.bytes.toString());
  JSON.parse(reply.withUsage(COUNTED).toString());
  check(typeof reply.deliveredText() === 'string', 'no delivered text');
  checkUsage(reply.usage, upstream, text);
}

function checkUsage(usage: ParsedUsage, upstream: Upstream, text: string): void {
  if (usage === null) return;
  const { counts, capped } = capUsage(usage, LIMITS);
  for (const count of [counts.input, counts.output, counts.cachedInput, counts.reasoning]) {
    check(Number.isSafeInteger(count) && count >= 0, `billed ${count}`);
  }
  const expected = independentUsage(upstream, text);
  if (expected === undefined || capped || counts.output === 0 || counts.input === 0) return;
  const same = counts.input === expected.input && counts.output === expected.output;
  check(same, `billed ${counts.input}, ${counts.output} for ${JSON.stringify(expected)}`);
}

type ParsedUsage = Parameters<typeof capUsage>[0] | null;

function readStream(
  { codec, provider, streamed, upstream }: Path,
  text: string,
  chance: Chance,
): void {
  const reader = codec.openStream(streamed, provider.findFailure, 1_000_000);
  let sent = '';
  for (const packet of packets(Buffer.from(text), chance)) {
    sent += Buffer.from(reader.push(packet)).toString('latin1');
  }
  sent += Buffer.from(reader.flush()).toString('latin1');
  check(typeof reader.deliveredText() === 'string', 'no delivered text');
  check(reader.outputTokensEstimate >= 0, 'no estimate');
  const { usage, failure } = reader;
  checkUsage(usage, upstream, text);
  if (failure !== null) verdictOn(failure, provider);
  let last = '';
  if (failure === null && reader.finished) last = reader.endMarker(usage === null ? COUNTED : null);
  else last = reader.cutShort() + reader.errorEvent('upstream_error');
  const events = (sent + Buffer.from(last).toString('latin1')).matchAll(/^data: (.*)$/gm);
  for (const [, data = ''] of events) if (data !== '[DONE]') JSON.parse(data);
  const stream = codec.forms.toStream(Buffer.from(text));
  if (stream === undefined) return;
  const again = codec.openStream(streamed, provider.findFailure, 1_000_000);
  again.push(stream);
  again.flush();
  again.endMarker(COUNTED);
}
