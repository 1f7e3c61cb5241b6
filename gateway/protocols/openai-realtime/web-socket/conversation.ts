import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { memberValue, scanMembers } from '../../../platform/json/scan-members.ts';
import { invalidValue, wrongType } from '../../fields/field-faults.ts';
import type {
  ClientEvent,
  RealtimeConversation,
  RealtimeTerms,
  RealtimeTurn,
  UpstreamEvent,
} from '../../realtime.ts';
import { replyRequest } from '../from-client/parse-request.ts';
import { eventIdOf, readEvent, type ReadEvent } from '../from-client/read-event.ts';
import { errorEvent } from '../to-client/error-event.ts';
import { ContextSize } from './context-size.ts';
import { SessionModels } from './session-models.ts';
import { SoundFormats } from './sound-formats.ts';
import { Transcripts } from './transcripts.ts';
import { ReplyTurn } from './turns.ts';

/** Events with a part of a reply, by what their `delta` is; today's names and the beta's. */
const DELTAS: ReadonlyMap<string, 'sound' | 'text'> = new Map([
  ['response.output_audio.delta', 'sound'],
  ['response.audio.delta', 'sound'],
  ['response.output_audio_transcript.delta', 'text'],
  ['response.audio_transcript.delta', 'text'],
  ['response.output_text.delta', 'text'],
  ['response.text.delta', 'text'],
  ['response.function_call_arguments.delta', 'text'],
  ['response.mcp_call_arguments.delta', 'text'],
]);

/** Deeper events of upstreams are passed without a look at their fields. */
const DEPTH_MAX = 512;
/** Replies that have ended are remembered, so that a report that comes twice is one bill. */
const ENDED_MAX = 256;
/** The highest limit that OpenAI takes. */
const LIMIT_MAX = 4_096;
/** Clients' own ids have another beginning: OpenAI's examples say `event_`. */
const OWN_EVENT_ID = 'weir_';

/** One session of OpenAI's realtime interface. */
export class OpenaiConversation implements RealtimeConversation {
  readonly #terms: RealtimeTerms;
  readonly #models: SessionModels;
  readonly #context = new ContextSize();
  readonly #formats = new SoundFormats();
  readonly #transcripts: Transcripts;
  /** Replies that the client has asked for, in their order, until the upstream begins them. */
  readonly #asked: ReplyTurn[] = [];
  readonly #replies = new Map<string, ReplyTurn>();
  readonly #ended = new Set<string>();
  #maxOutputTokens: number | null = null;
  #askedCount = 0;
  #latestEventId: string | null = null;

  constructor(terms: RealtimeTerms) {
    this.#terms = terms;
    this.#models = new SessionModels(terms);
    this.#transcripts = new Transcripts(this.#models, this.#formats);
  }

  fromClient(frame: Buffer): ClientEvent | Refusal {
    const read = readEvent(frame, this.#terms.limits.jsonDepthMax);
    this.#latestEventId = isRefusal(read) ? eventIdOf(frame) : read.eventId;
    if (isRefusal(read)) return read;
    switch (read.type) {
      case 'session.update':
        return this.#updateSession(read, frame.length);
      case 'response.create':
        return this.#askReply(read, frame.length);
      case 'input_audio_buffer.append': {
        const { event, audioCharacters } = read;
        if (audioCharacters === null) return wrongType('audio', 'a string', event['audio']);
        this.#transcripts.appended(audioCharacters);
        this.#context.addSound(this.#formats.inputMs(audioCharacters));
        return { kind: 'passes', frame };
      }
      case 'input_audio_buffer.clear':
        this.#transcripts.cleared();
        return { kind: 'passes', frame };
      case 'conversation.item.create':
        this.#context.addText(frame.length);
        return { kind: 'passes', frame };
      default:
        return { kind: 'passes', frame };
    }
  }

  fromUpstream(frame: Buffer): UpstreamEvent {
    const document = { bytes: frame, members: scanMembers(frame, DEPTH_MAX) };
    const type = stringOf(valueOf(document, 'type'));
    const delta = DELTAS.get(type);
    if (delta !== undefined) return this.#delivers(document, delta);
    switch (type) {
      case 'session.created':
      case 'session.updated':
        return { kind: 'passes', frame: this.#describeSession(frame) };
      case 'rate_limits.updated':
        // Those of the operator's account.
        return { kind: 'dropped' };
      case 'response.created':
        return this.#begins(frame);
      case 'response.done':
        return this.#ends(frame);
      case 'error':
        return this.#fails(frame);
      default:
        return this.#transcripts.read(type, document) ?? { kind: 'passes', frame };
    }
  }

  withdraw(turn: RealtimeTurn): void {
    const at = this.#asked.findIndex((one) => one === turn);
    if (at !== -1) this.#asked.splice(at, 1);
  }

  errorEvent(refusal: Refusal, requestId: string, answersLast: boolean): string {
    return errorEvent(refusal, requestId, answersLast ? this.#latestEventId : null);
  }

  cancelEvent(turn: RealtimeTurn): string | undefined {
    if (!(turn instanceof ReplyTurn)) return undefined;
    const { id } = turn;
    return JSON.stringify({ type: 'response.cancel', ...(id === null ? {} : { response_id: id }) });
  }

  #updateSession({ event }: ReadEvent, bytes: number): ClientEvent | Refusal {
    const { session } = event;
    if (!isOwnJsonObject(session)) return wrongType('session', 'an object', session);
    const refused = refusePrompt(session, 'session') ?? this.#models.toUpstream(session);
    if (refused !== undefined) return refused;
    const limit = limitOf(session);
    if (limit !== undefined) this.#maxOutputTokens = limit;
    this.#context.addText(bytes);
    return { kind: 'passes', frame: Buffer.from(JSON.stringify(event)) };
  }

  #askReply({ event, eventId }: ReadEvent, bytes: number): ClientEvent | Refusal {
    const reply = event['response'] ?? {};
    if (!isOwnJsonObject(reply)) return wrongType('response', 'an object', reply);
    const refused = refusePrompt(reply, 'response') ?? refuseModel(reply);
    if (refused !== undefined) return refused;
    // Its own instructions and items are read with the context, and not kept in it.
    this.#context.addText(bytes);
    this.#askedCount += 1;
    const sentId = eventId ?? `${OWN_EVENT_ID}${this.#askedCount}`;
    const turn = this.#newReply(limitOf(reply), sentId);
    turn.isAside = reply['conversation'] === 'none';
    this.#asked.push(turn);
    return {
      kind: 'asks',
      turn,
      frameWith: (outputTokensCap) => {
        const limit = outputTokensCap ?? Infinity;
        const response = limit < LIMIT_MAX ? { ...reply, max_output_tokens: limit } : reply;
        return Buffer.from(JSON.stringify({ ...event, event_id: sentId, response }));
      },
    };
  }

  #begins(frame: Buffer): UpstreamEvent {
    const id = replyId(parseOwnObject(frame));
    const known = this.#replies.get(id);
    if (known !== undefined || this.#ended.has(id)) return { kind: 'passes', frame };
    return { kind: 'begins', frame, turn: this.#beginReply(id) };
  }

  #beginReply(id: string): ReplyTurn {
    const turn = this.#asked.shift() ?? this.#newReply();
    turn.id = id;
    this.#replies.set(id, turn);
    return turn;
  }

  #ends(frame: Buffer): UpstreamEvent {
    const event = parseOwnObject(frame);
    const id = replyId(event);
    if (this.#ended.has(id)) return { kind: 'passes', frame };
    const turn = this.#replies.get(id) ?? this.#asked.shift() ?? this.#newReply();
    this.#replies.delete(id);
    this.#remember(id);
    const reply = event?.['response'];
    turn.report(isOwnJsonObject(reply) ? reply['usage'] : undefined);
    if (turn.usage !== null && !turn.isAside) this.#context.reported(turn.usage);
    return { kind: 'ends', frame, turn };
  }

  #delivers(document: Parameters<typeof memberValue>[0], delta: 'sound' | 'text'): UpstreamEvent {
    const { bytes: frame } = document;
    const id = stringOf(valueOf(document, 'response_id'));
    const known = this.#replies.get(id);
    if (known === undefined && (id === '' || this.#ended.has(id))) return { kind: 'passes', frame };
    // Some servers say nothing of a reply before its first part.
    const turn = known ?? this.#beginReply(id);
    if (delta === 'text') turn.said(stringOf(valueOf(document, 'delta')));
    // The rest of the event is a few hundred bytes, which no one would notice in a bill.
    else turn.heard(this.#formats.outputMs(frame.length));
    return { kind: 'delivers', frame, turn };
  }

  /** An error names the event that it answers; it may be the one that has asked for a reply. */
  #fails(frame: Buffer): UpstreamEvent {
    const event = parseOwnObject(frame);
    const error = event?.['error'];
    if (event === undefined || !isOwnJsonObject(error)) return { kind: 'passes', frame };
    const { publicModel, upstreamModel } = this.#terms;
    const eventId = error['event_id'];
    const { message } = error;
    if (typeof message === 'string') {
      error['message'] = message.replaceAll(upstreamModel, publicModel);
    }
    const at = this.#asked.findIndex((one) => one.eventId === eventId);
    if (typeof eventId === 'string' && eventId.startsWith(OWN_EVENT_ID)) error['event_id'] = null;
    const changed = Buffer.from(JSON.stringify(event));
    const [turn] = at === -1 ? [] : this.#asked.splice(at, 1);
    return turn === undefined
      ? { kind: 'passes', frame: changed }
      : { kind: 'refuses', frame: changed, turn };
  }

  #describeSession(frame: Buffer): Buffer {
    const event = parseOwnObject(frame);
    const session = event?.['session'];
    if (!isOwnJsonObject(session)) return frame;
    this.#formats.learn(session);
    this.#models.toClient(session);
    return Buffer.from(JSON.stringify(event));
  }

  #newReply(
    limit: number | null = this.#maxOutputTokens,
    eventId: string | null = null,
  ): ReplyTurn {
    const request = replyRequest(this.#terms.publicModel, {
      promptTokensBound: this.#context.tokensMax,
      promptTokensEstimate: this.#context.tokens,
      maxOutputTokens: limit,
    });
    return new ReplyTurn(request, this.#context, eventId);
  }

  #remember(id: string): void {
    this.#ended.add(id);
    if (this.#ended.size <= ENDED_MAX) return;
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest);
      return;
    }
  }
}

function valueOf(document: Parameters<typeof memberValue>[0], name: string): unknown {
  try {
    return memberValue(document, name);
  } catch {
    return undefined;
  }
}

function replyId(event: OwnJsonObject | undefined): string {
  const reply = event?.['response'];
  return isOwnJsonObject(reply) ? stringOf(reply['id']) : '';
}

/** Undefined where the client says nothing of it; null for no limit. */
function limitOf(from: OwnJsonObject): number | null | undefined {
  const limit = from['max_output_tokens'] ?? from['max_response_output_tokens'];
  if (limit === 'inf') return null;
  return typeof limit === 'number' ? limit : undefined;
}

/** Stored prompts are the operator's, and may have any length. */
function refusePrompt(from: OwnJsonObject, path: string): Refusal | undefined {
  if ((from['prompt'] ?? null) === null) return undefined;
  return invalidValue(
    `${path}.prompt`,
    'Stored prompts are those of the operator. Send their text as instructions.',
  );
}

function refuseModel({ model }: OwnJsonObject): Refusal | undefined {
  if (model === undefined) return undefined;
  return invalidValue(
    'response.model',
    'A reply is made by the model of its session. Open another session for another model.',
  );
}
