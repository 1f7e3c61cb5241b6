/**
 * Each field that clients of a protocol may send, in a request of its own, and what becomes of it
 * at a target of another protocol.
 */
import type { Shape } from '../../../../../gateway/protocols/fields/shape.ts';
import { isRefusal, type Refusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { isJsonObject } from '../../../../../gateway/platform/json/json-value.ts';
import {
  REQUEST_LIMITS,
  type ParsedRequest,
  type ProtocolId,
  type Target,
} from '../../../../../gateway/protocols/protocol.ts';
import { codecsFor, ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';
import type { TargetProfile } from '../../../../../gateway/protocols/target-profile.ts';
import { listProfiles, profileOf } from '../../../../../gateway/providers/profiles/profile-of.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import { CLIENTS, PROTOCOLS, type Json, type Protocol } from './clients.ts';

export interface Field {
  readonly path: string;
  readonly protocol: Protocol;
  readonly request: ParsedRequest | Refusal;
}

/** The fields of a protocol, each in a request that its endpoint takes, if it takes any. */
export function everyField(protocol: Protocol): readonly Field[] {
  return pathsIn(CLIENTS[protocol].fields).flatMap((path) => {
    const request = requestWith(protocol, path);
    return request === undefined ? [] : [{ path: path.join('.'), protocol, request }];
  });
}

type Path = readonly string[];

function pathsIn(shape: Shape, path: Path = []): readonly Path[] {
  if (typeof shape !== 'object') return [path];
  return [...shape].flatMap(([name, inner]) => {
    // Gemini's names in snake case are those in camel case again.
    const isTwin = [...shape.keys()].some((other) => other !== name && snake(other) === name);
    return isTwin ? [] : pathsIn(inner, [...path, name]);
  });
}

function snake(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

const VALUES: readonly unknown[] = ['x', 1, true, ['x'], { a: 'x' }];

function requestWith(protocol: Protocol, path: Path): ParsedRequest | Refusal | undefined {
  const { base, samples, patches } = CLIENTS[protocol];
  const patch = patches[path.join('.')];
  if (patch !== undefined) return parse(protocol, { ...base, ...patch });
  if (valueAt(base, path) !== undefined) return undefined;
  const sample = samples[path.join('.')];
  let last: ParsedRequest | Refusal | undefined;
  for (const value of sample === undefined ? VALUES : [sample]) {
    last = parse(protocol, withValue(base, path, value));
    if (!isRefusal(last)) return last;
  }
  return last;
}

function valueAt(value: unknown, path: Path): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const inner = Array.isArray(value) ? (value as unknown[])[0] : value;
  return isJsonObject(inner) ? valueAt(inner[name], rest) : undefined;
}

/** In lists each element gets the value. */
function withValue(object: Json, [name = '', ...rest]: Path, value: unknown): Json {
  const inner = object[name];
  if (rest.length === 0) return { ...object, [name]: value };
  const next = (one: unknown) => withValue(isJsonObject(one) ? one : {}, rest, value);
  return { ...object, [name]: Array.isArray(inner) ? inner.map(next) : next(inner) };
}

function endpointOf(protocol: Protocol) {
  const endpoint = ENDPOINTS.find(
    (one) => one.protocol.id === protocol && CLIENTS[protocol].path.test(one.path),
  );
  if (endpoint === undefined) throw new Error(`${protocol} has no endpoint`);
  return endpoint;
}

function parse(protocol: Protocol, body: Json): ParsedRequest | Refusal {
  const endpoint = endpointOf(protocol);
  const head = { endpoint, pathModel: 'm', query: '', headers: {} };
  return endpoint.protocol.parse(Buffer.from(JSON.stringify(body)), head, REQUEST_LIMITS);
}

interface ListedTarget {
  readonly name: string;
  readonly protocol: ProtocolId;
  readonly profile: TargetProfile;
}

/** Each vendor and each family of the profiles, over each protocol. */
export const TARGETS: readonly ListedTarget[] = PROTOCOLS.flatMap((protocol) => {
  const { vendors, families } = listProfiles();
  const chosen = [
    'generic',
    ...vendors.map(({ id }) => `${id}/generic`),
    ...families.map(({ id }) => `generic/${id}`),
  ];
  return chosen.map((id) => {
    const profile = profileOf({
      kind: 'openai',
      baseUrl: 'http://upstream.test',
      upstreamModel: 'upstream',
      upstreamProtocol: protocol,
      chosen: id,
    });
    return { name: `${protocol} ${id}`, protocol, profile };
  });
});

/** Returns the body that a target gets. */
interface Sent {
  readonly body: string;
  readonly named: readonly string[];
}

function encode(
  protocol: Protocol,
  request: ParsedRequest,
  { protocol: upstream, profile }: ListedTarget,
) {
  const [codec] = codecsFor(endpointOf(protocol), [upstream]);
  if (codec === undefined) throw new Error(`no way from ${protocol} to ${upstream}`);
  const target: Target = targetOf({ profile, omittedFields: profile.refusedFields }, upstream);
  const encoded = codec.encode(request, target);
  if (isRefusal(encoded)) return encoded;
  const { restoration, leftOut = [] } = encoded;
  const stops = JSON.stringify(restoration?.stopSequences);
  return { body: `${encoded.body.toString()}${stops}`, named: leftOut };
}

const baselines = new Map<string, Sent | Refusal>();

/** Returns the body that a target gets without the field. */
function baseline(protocol: Protocol, target: ListedTarget): Sent | Refusal {
  const key = `${protocol} ${target.name}`;
  const known = baselines.get(key);
  if (known !== undefined) return known;
  const request = parse(protocol, CLIENTS[protocol].base);
  if (isRefusal(request)) throw new Error(request.message);
  const sent = encode(protocol, request, target);
  baselines.set(key, sent);
  return sent;
}

export type Outcome = 'refused' | 'named' | 'carried' | 'silent';

export function outcomeOf({ path, protocol, request }: Field, target: ListedTarget): Outcome {
  if (isRefusal(request)) return names([request.param ?? '', request.message], path);
  const without = baseline(protocol, target);
  // The target has no tools: the refusal says so, whatever the field.
  if (isRefusal(without)) return 'refused';
  const sent = encode(protocol, request, target);
  if (isRefusal(sent)) return names([sent.param ?? '', sent.message], path);
  const withheld = request.withheldFields ?? [];
  if (names([...sent.named, ...withheld], path) === 'refused') return 'named';
  return sent.body === without.body ? 'silent' : 'carried';
}

/** Fields that are one in the neutral form: a refusal or the header has the other's name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  user: 'safety_identifier',
  safety_identifier: 'user',
  'messages.prompt_cache_breakpoint': 'cache_control',
  top_logprobs: 'logprobs',
};

/** Fields that no upstream of another protocol is to get, and why nothing has to be said of it. */
export const DONE_ELSEWHERE: Readonly<Record<Protocol, Readonly<Record<string, string>>>> = {
  'openai-chat': {
    stream: 'the path says it',
    'stream_options.include_usage': 'Weir writes the usage',
    'messages.reasoning': 'vendors take back what they have signed themselves',
    'messages.reasoning_content': 'vendors take back what they have signed themselves',
    'messages.reasoning_details': 'vendors take back what they have signed themselves',
  },
  'openai-responses': {
    stream: 'the path says it',
    include: 'the reply has the encrypted reasoning',
    metadata: 'the reply repeats it',
    conversation: 'routing refuses what no channel stores',
    previous_response_id: 'routing refuses what no channel stores',
  },
  'anthropic-messages': {
    stream: 'the path says it',
    'tools.cache_control': 'a mark on a message covers the tools',
    anthropic_version: 'other protocols have no version of Messages',
    anthropic_beta: 'betas are of Messages alone, as in their header',
  },
  gemini: {},
};

/** Reports whether one of the texts names a field, or an object around it. */
function names(texts: readonly string[], path: string): 'refused' | 'silent' {
  const words = [...path.split('.'), OTHER_NAMES[path] ?? path].filter(
    (word) => word !== 'generationConfig',
  );
  const isNamed = texts.some((text) => words.some((word) => text.includes(word)));
  return isNamed ? 'refused' : 'silent';
}
