/** The request that Weir makes of a client's, without a server between them. */
import { isRefusal, type Refusal } from '../../../../../gateway/platform/errors/refusal.ts';
import {
  REQUEST_LIMITS,
  type Codec,
  type ParsedRequest,
  type ProtocolId,
  type Target,
  type UpstreamProtocolId,
} from '../../../../../gateway/protocols/protocol.ts';
import { profileOf } from '../../../../../gateway/providers/profiles/profile-of.ts';
import { codecsFor, ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';
import {
  refusalOf,
  type StrictRow,
} from '../../../../support/upstreams/strict-upstream/strict-upstream.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import type { Client, Json } from './ask.ts';
import type { Cell } from './cell.ts';

const PROTOCOLS: Readonly<Record<Client, ProtocolId>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini',
};
const GENERATING = ['chat/completions', 'responses', 'messages'];

/** Returns the target of a channel to a row. */
function strictTarget({ model, vendor }: StrictRow): Target {
  const profile = profileOf({
    kind: 'openai',
    baseUrl: 'http://upstream.test',
    upstreamModel: model,
    upstreamProtocol: vendor.protocol,
    chosen: profileOfRow(vendor),
  });
  const omittedFields = profile.refusedFields;
  return targetOf({ upstreamModel: model, profile, omittedFields, outputTokensMax: 8_000 });
}

/** Vendors that have another name in the profiles. */
const CHOICES: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  plain: 'generic',
};

/** The profile that an operator chooses for a row: its address is that of no vendor. */
export function profileOfRow({ id }: StrictRow['vendor']): string {
  return CHOICES[id] ?? id;
}

type Asked = Pick<Cell, 'client' | 'body' | 'stream'>;

function endpointOf({ client, stream }: Asked) {
  const verb = stream ? ':streamGenerateContent' : ':generateContent';
  const endpoint = ENDPOINTS.find(
    ({ protocol, path }) =>
      protocol.id === PROTOCOLS[client] &&
      (client === 'gemini' ? path.endsWith(verb) : GENERATING.includes(path)),
  );
  if (endpoint === undefined) throw new Error(`${client} has no endpoint`);
  return endpoint;
}

/** Parsed requests by their bodies, whole and streamed: each is encoded for many rows. */
const parsed = new WeakMap<Json, Map<boolean, ParsedRequest | Refusal>>();

function parse(cell: Asked): ParsedRequest | Refusal {
  const { client, body, stream } = cell;
  const known = parsed.get(body) ?? new Map<boolean, ParsedRequest | Refusal>();
  parsed.set(body, known);
  const found = known.get(stream);
  if (found !== undefined) return found;
  const endpoint = endpointOf(cell);
  const sent = client === 'gemini' ? body : { ...body, model: 'public', stream };
  const head = {
    endpoint,
    pathModel: client === 'gemini' ? 'public' : null,
    query: client === 'gemini' && stream ? 'alt=sse' : '',
    headers: {},
  };
  const request = endpoint.protocol.parse(Buffer.from(JSON.stringify(sent)), head, REQUEST_LIMITS);
  known.set(stream, request);
  return request;
}

/**
 * Returns what is wrong with the request that Weir sends to a cell's row: undefined if the row
 * accepts it, or if Weir refuses it by name.
 */
export function encodeFault(cell: Cell): string | undefined {
  const { client, row, refusedFor } = cell;
  const [codec] = codecsFor(endpointOf(cell), [row.vendor.protocol]);
  if (codec === undefined) throw new Error(`no way from ${client} to ${row.name}`);
  const request = parse(cell);
  const encoded = isRefusal(request) ? request : codec.encode(request, strictTarget(row));
  if (isRefusal(encoded)) {
    const { message, param } = encoded;
    const isNamed = refusedFor.some((word) => `${message} ${param ?? ''}`.includes(word));
    return isNamed ? undefined : `refused by Weir: ${message}`;
  }
  const first = refusalOf(row, JSON.parse(encoded.body.toString()) as Json);
  const refusal = first === undefined || isRefusal(request) ? first : again(codec, request, row);
  // The vendor itself names to its own client what it cannot be sent.
  const words = JSON.stringify(refusal?.body);
  if (refusal && refusedFor.some((word) => words.includes(word))) return undefined;
  return refusal && `${refusal.rule}: ${JSON.stringify(refusal.body)}`;
}

/** A request that a client sends to a target that is no row of the strict upstream. */
export interface Sent extends Pick<Cell, 'client' | 'body'> {
  /** The profile, as an operator chooses it; null: by the name of the model. */
  readonly chosen: string | null;
  readonly model: string;
  readonly protocol: UpstreamProtocolId;
}

/** Returns what the upstream gets, at first and once it has refused that. */
export function sentBodies({ client, body, chosen, model, protocol }: Sent): readonly Json[] {
  const cell = { client, body, stream: false };
  const [codec] = codecsFor(endpointOf(cell), [protocol]);
  const request = parse(cell);
  if (codec === undefined || isRefusal(request)) throw new Error(`${client} to ${model}`);
  const profile = profileOf({
    kind: 'openai',
    baseUrl: 'http://upstream.test',
    upstreamModel: model,
    upstreamProtocol: protocol,
    chosen,
  });
  const target = targetOf({
    upstreamModel: model,
    profile,
    omittedFields: profile.refusedFields,
    outputTokensMax: 8_000,
  });
  return [target, { ...target, fitsWhole: true }].map((one) => {
    const encoded = codec.encode(request, one);
    if (isRefusal(encoded)) throw new Error(encoded.message);
    return JSON.parse(encoded.body.toString()) as Json;
  });
}

/** A refused request is sent once more where the fit of it as a whole changes it. */
function again(codec: Codec, request: ParsedRequest, row: StrictRow) {
  const encoded = codec.encode(request, { ...strictTarget(row), fitsWhole: true });
  if (isRefusal(encoded)) throw new Error(encoded.message);
  return refusalOf(row, JSON.parse(encoded.body.toString()) as Json);
}
