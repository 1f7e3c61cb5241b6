import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type {
  Codec,
  ParsedRequest,
  Protocol,
  Reply,
  Target,
  UpstreamProtocol,
} from '../../protocol.ts';
import type { EventReader, FieldNames, NeutralForm, UpstreamForm } from '../neutral-form.ts';
import { fitRequest } from '../fit/fit-request.ts';
import type { FittedRequest, Restoration } from '../fit/fitted-request.ts';
import { restoreEvents } from '../fit/restore-events.ts';
import { restoreReply } from '../fit/restore-reply.ts';
import type { NeutralReply } from '../reply.ts';
import type { NeutralField, NeutralRequest } from '../request.ts';
import { cutAtStop, readUntilStop } from '../stop-sequences.ts';
import { TranslatedStream } from './translated-stream.ts';
import { encodeWith, type Translation, type WrittenRequest } from './translation.ts';
import { withoutProofs } from '../proofs/without-proofs.ts';

const NO_HEADERS: readonly never[] = [];

/** A protocol that clients speak and that can be translated. */
export type GeneratingProtocol = Protocol & { readonly neutralForm: NeutralForm };

/** The same of upstreams. */
export type GeneratingUpstream = UpstreamProtocol & { readonly neutralForm: UpstreamForm };

export function isGenerating(protocol: Protocol): protocol is GeneratingProtocol;
export function isGenerating(protocol: UpstreamProtocol): protocol is GeneratingUpstream;
export function isGenerating({ neutralForm }: UpstreamProtocol): boolean {
  return neutralForm !== undefined;
}

/** The codec between a client of one protocol and an upstream of another. */
export function translate(client: GeneratingProtocol, upstream: GeneratingUpstream): Codec {
  const { neutralForm: ours } = client;
  const { neutralForm: theirs } = upstream;
  const { upstreamHeaders = [] } = theirs;
  const translation: Translation<NeutralRequest> = {
    read: (request) => ours.readRequest(request),
    write: (neutral, target) => {
      const sent = target.withoutProofs === true ? withoutProofs(neutral) : neutral;
      const fitted = fitRequest(sent, target.profile);
      const written = isRefusal(fitted)
        ? fitted
        : writeFitted(fitted, { client, upstream, target });
      return isRefusal(written) ? inClientsWords(written, ours.fieldNames) : written;
    },
    clientName: (field, neutral) => {
      if (neutral[field] !== undefined) return ours.fieldNames[field];
      const isBudget = field === 'effort' && neutral.reasoningTokensMax !== undefined;
      return isBudget ? ours.fieldNames.reasoningTokensMax : undefined;
    },
  };
  return {
    upstreamProtocol: upstream.id,
    headers: (_request, { envelope }) => (envelope === undefined ? upstreamHeaders : NO_HEADERS),
    translation,
    encode: (request, target) => encodeWith(translation, request, target),
    decode: (body, request, findFailure, terms) => {
      const reply = theirs.readReply(body, findFailure);
      if (reply === undefined) return undefined;
      return writtenReply(ours, restored(reply, terms?.restoration), request);
    },
    forms: upstream.forms,
    openStream: (request, findFailure, eventBytesMax, terms) => {
      const reader = restoring(theirs.readStream(findFailure, terms?.profile), terms?.restoration);
      return new TranslatedStream(reader, ours.writeStream(request), eventBytesMax);
    },
  };
}

/** A refusal that has the client's name of the field, where the neutral form has another. */
function inClientsWords(refusal: Refusal, fieldNames: FieldNames): Refusal {
  const own = Object.entries(fieldNames).find(([name]) => name === refusal.param)?.[1];
  return own === undefined ? refusal : { ...refusal, param: own };
}

/** Writes a request that is fitted to its target. */
export function writeFitted(
  { request, leftOut, restoration }: FittedRequest,
  {
    client,
    upstream,
    target,
  }: {
    readonly client: GeneratingProtocol;
    readonly upstream: GeneratingUpstream;
    readonly target: Target;
  },
): WrittenRequest | Refusal {
  const body = upstream.neutralForm.writeRequest(request, target);
  if (isRefusal(body)) return body;
  const { fieldNames } = client.neutralForm;
  const names = [...leftOut, ...omittedFrom(request, upstream, target)];
  const own = names.flatMap((name) => fieldNames[name] ?? []);
  return {
    body,
    leftOut: [...new Set([...(request.leftOut ?? []), ...own])],
    restoration,
    ...(!target.profile.streamedTools && usesTools(request) && { asksWhole: true }),
  };
}

function usesTools({ tools, messages }: NeutralRequest): boolean {
  return tools.length > 0 || messages.some(({ role }) => role === 'tool');
}

/** Fields that the upstream would have got, but its target refuses them by their names. */
function omittedFrom(
  request: NeutralRequest,
  { neutralForm: { fieldNames = {} } }: GeneratingUpstream,
  { omittedFields }: Target,
): readonly NeutralField[] {
  if (omittedFields.length === 0) return [];
  return (Object.keys(fieldNames) as (keyof NeutralRequest)[]).filter(
    (name) =>
      request[name] !== undefined &&
      omittedFields.includes(fieldNames[name]?.split('.', 1)[0] ?? ''),
  );
}

function restored(reply: NeutralReply, restoration?: Restoration | null): NeutralReply {
  const stops = restoration?.stopSequences;
  const whole = restoreReply(reply, restoration);
  return stops === undefined ? whole : cutAtStop(whole, stops);
}

function restoring(reader: EventReader, restoration?: Restoration | null): EventReader {
  const stops = restoration?.stopSequences;
  const whole = restoreEvents(reader, restoration);
  return stops === undefined ? whole : readUntilStop(whole, stops);
}

function writtenReply(ours: NeutralForm, reply: NeutralReply, request: ParsedRequest): Reply {
  const withUsage = (usage: TokenCounts | null): Buffer => ours.writeReply(reply, request, usage);
  return {
    bytes: withUsage(reply.usage),
    usage: reply.usage,
    isFree: reply.isFree === true,
    withUsage,
    deliveredText: () => textOf(reply),
  };
}

/** Returns the text that can be counted. The bytes of an image say nothing about its tokens. */
function textOf({ parts, refusal = '' }: NeutralReply): string {
  const texts = parts.map((part) => {
    if (part.type === 'image') return '';
    return part.type === 'tool_call' ? part.name + part.input : part.text;
  });
  return texts.join('') + refusal;
}
