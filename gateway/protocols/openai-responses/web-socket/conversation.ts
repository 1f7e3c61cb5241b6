import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isOwnJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import {
  findMember,
  memberValue,
  scanMembers,
  type MemberSpans,
} from '../../../platform/json/scan-members.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type { SocketConversation, SocketMessage, WholeReply } from '../../web-socket.ts';
import { newResponseId } from '../to-client/render-error.ts';
import { TurnOutput } from './turn-output.ts';
import { warmUpFrames } from './warm-up.ts';

/** Enough to find a frame's own members; the request path checks the depth of what they hold. */
const FRAME_DEPTH_MAX = 1_000;

/** More is not kept: the client sends its whole input again. Codex's sessions reach 1 MB. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

interface Frame {
  readonly bytes: Buffer;
  readonly members: MemberSpans;
}

const RATE_LIMITED = 429;
/** The code of refusals for lack of money: its status over HTTP is 429 for Codex. */
const FUNDS_CODE = 'insufficient_quota';

/**
 * Returns a refusal as an `error` event. Codex shows one of status 400 once; after any other it
 * opens six connections in seven seconds or more, which only makes sense where waiting helps.
 */
function errorFrame({ status, headers, body }: WholeReply): string {
  const reply = parseOwnObject(body);
  const error = isOwnJsonObject(reply?.['error']) ? reply['error'] : { message: '' };
  const passes = status >= 500 || (status === RATE_LIMITED && error['code'] !== FUNDS_CODE);
  return JSON.stringify({
    type: 'error',
    status: passes ? status : 400,
    error,
    headers: Object.fromEntries(headers),
  });
}

/**
 * Responses over one WebSocket. The items of the last turn, input and output, are kept as JSON, so
 * that a frame which names that response and brings new items alone is sent on with all of them:
 * upstreams are called over HTTP and know nothing of the connection.
 */
export class ResponsesConversation implements SocketConversation {
  /** The id of the response that the next frame may continue. */
  #responseId: string | null = null;
  /** JSON of the items before the next frame, with commas between them; empty for none. */
  #items = Buffer.alloc(0);
  /** JSON of the items of the turn that is under way. */
  #turnItems = '';
  #output = new TurnOutput();

  get keptBytes(): number {
    return this.#items.length;
  }

  read(bytes: Buffer): SocketMessage | Refusal {
    const frame = { bytes, members: scanMembers(bytes, FRAME_DEPTH_MAX) };
    const read = readNames(frame);
    if (isRefusal(read)) return read;
    const { previous, generates } = read;
    const continues = previous !== null && previous === this.#responseId;
    const kept = continues ? this.#items.toString('utf8') : '';
    this.forget();
    const own = inputItems(bytes, frame.members);
    this.#turnItems = own === undefined ? '' : joined(kept, own);
    if (!generates) return this.#warmUp(frame);
    const edits: MemberEdit[] = [
      { name: 'type', value: undefined },
      { name: 'generate', value: undefined },
      // Refusals and replies alike are events here.
      { name: 'stream', value: 'true' },
    ];
    // An id that this connection does not know may be that of a stored response.
    if (continues) {
      edits.push({ name: 'previous_response_id', value: undefined });
      if (own !== undefined) edits.push({ name: 'input', value: `[${this.#turnItems}]` });
    }
    this.#output = new TurnOutput();
    return { body: rewriteFrame(frame, edits) };
  }

  frames(events: string | Uint8Array): readonly (string | Uint8Array)[] {
    const frames = this.#output.read(events);
    if (this.#output.endedAs !== null) this.#endTurn(this.#output.endedAs);
    return frames;
  }

  wholeReply(reply: WholeReply): string {
    return errorFrame(reply);
  }

  forget(): void {
    this.#responseId = null;
    this.#items = Buffer.alloc(0);
    this.#turnItems = '';
  }

  /** A client that sends its prompt ahead gets an id for it; nothing is generated or billed. */
  #warmUp({ bytes, members }: Frame): SocketMessage {
    const id = newResponseId();
    this.#keep(id, this.#turnItems);
    return { frames: warmUpFrames(id, stringOf(memberValue({ bytes, members }, 'model'))) };
  }

  #endTurn(responseId: string): void {
    if (responseId === '') this.forget();
    else this.#keep(responseId, joined(this.#turnItems, this.#output.items()));
  }

  #keep(responseId: string, items: string): void {
    this.forget();
    if (Buffer.byteLength(items) > KEPT_BYTES_MAX) return;
    this.#responseId = responseId;
    this.#items = Buffer.from(items);
  }
}

/**
 * Returns the JSON of a frame's input items with commas between them, '' for none; undefined for an
 * input that is neither a list nor a text, which the request path refuses.
 */
function inputItems(bytes: Buffer, members: MemberSpans): string | undefined {
  const member = findMember(bytes, members, 'input');
  if (member === -1) return '';
  const start = members.offsets[member * 4 + 2] ?? 0;
  const end = members.offsets[member * 4 + 3] ?? 0;
  const input = bytes.toString('utf8', start, end).trim();
  if (input.startsWith('[') && input.endsWith(']')) return input.slice(1, -1).trim();
  if (input.startsWith('"')) return `{"type":"message","role":"user","content":${input}}`;
  return undefined;
}

interface FrameNames {
  /** The response that the frame continues. */
  readonly previous: string | null;
  /** False: the frame only sends its prompt ahead. */
  readonly generates: boolean;
}

function readNames(frame: Frame): FrameNames | Refusal {
  const value = (name: string): unknown => memberValue(frame, name);
  try {
    const type = value('type');
    if (type !== 'response.create') {
      const named = typeof type === 'string' ? `, not "${type.slice(0, 64)}"` : '';
      return invalidValue('type', `A frame must be of the type "response.create"${named}.`);
    }
    if (value('stream_id') !== undefined) {
      return invalidValue(
        'stream_id',
        'Responses follow each other on one connection. Leave out stream_id, or open a connection for each stream.',
      );
    }
    const previous = value('previous_response_id');
    return {
      previous: typeof previous === 'string' ? previous : null,
      generates: value('generate') !== false,
    };
  } catch {
    return refuse('invalid_json', 'The frame is not valid JSON.');
  }
}

/** Returns the frame as the body of a POST. */
function rewriteFrame({ bytes, members }: Frame, edits: readonly MemberEdit[]): Buffer {
  const isAllCut = members.count <= edits.filter(({ value }) => value === undefined).length;
  // A document keeps at least one member: one with so few names no model, and is refused anyway.
  return isAllCut ? Buffer.from('{"stream":true}') : rewriteMembers(bytes, members, edits);
}

function joined(one: string, other: string): string {
  if (one === '') return other;
  return other === '' ? one : `${one},${other}`;
}
