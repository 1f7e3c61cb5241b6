import type { EventReader } from './neutral-form.ts';
import type { NeutralEvent, NeutralReply } from './reply.ts';
import type { AssistantPart, TextPart } from './request.ts';

/**
 * Stop sequences at upstreams that have none: the reply is cut here, and nothing of the sequence or
 * behind it reaches the client. Of several the one that is complete first is in force, as where the
 * model stops by itself.
 */
interface StopMatch {
  readonly start: number;
  readonly end: number;
  readonly sequence: string;
}

function findStop(text: string, sequences: readonly string[]): StopMatch | undefined {
  let first: StopMatch | undefined;
  for (const sequence of sequences) {
    const start = text.indexOf(sequence);
    const end = start + sequence.length;
    if (start !== -1 && (first === undefined || end < first.end)) first = { start, end, sequence };
  }
  return first;
}

/** Returns how many characters at the end of a text may begin a stop sequence. */
function openLength(text: string, sequences: readonly string[]): number {
  let longest = 0;
  for (const sequence of sequences) {
    let length = Math.min(sequence.length - 1, text.length);
    while (length > longest && !text.endsWith(sequence.slice(0, length))) length -= 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/**
 * Returns a reader whose events end at the first stop sequence, also at one that comes in several
 * pieces. Behind it usage alone is passed.
 */
export function readUntilStop(reader: EventReader, sequences: readonly string[]): EventReader {
  const cutter = new StopCutter(sequences);
  return {
    read: (name, data) => cutter.cut(reader.read(name, data)),
    close: () => cutter.cut(reader.close()),
  };
}

/** States: open (text that may begin a stop sequence is kept back) -> stopped. */
class StopCutter {
  readonly #sequences: readonly string[];
  #kept = '';
  #isStopped = false;

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  cut(events: readonly NeutralEvent[]): readonly NeutralEvent[] {
    return events.flatMap((event) => this.#cutOne(event));
  }

  #cutOne(event: NeutralEvent): NeutralEvent[] {
    if (event.type === 'usage' || event.type === 'start') return [event];
    if (this.#isStopped) return [];
    if (event.type === 'text') return this.#text(event);
    const text = this.#kept;
    this.#kept = '';
    return text === '' ? [event] : [{ type: 'text', text }, event];
  }

  #text(event: Extract<NeutralEvent, { type: 'text' }>): NeutralEvent[] {
    const text = this.#kept + event.text;
    const stop = findStop(text, this.#sequences);
    const passes = stop?.start ?? text.length - openLength(text, this.#sequences);
    this.#kept = stop === undefined ? text.slice(passes) : '';
    const before: NeutralEvent = { ...event, text: text.slice(0, passes) };
    const events = passes === 0 && event.proof === undefined ? [] : [before];
    if (stop === undefined) return events;
    this.#isStopped = true;
    const end = { type: 'end', reason: 'stop_sequence', stopSequence: stop.sequence } as const;
    return [...events, end, { type: 'done' }];
  }
}

/** Returns a whole reply as far as its first stop sequence. */
export function cutAtStop(reply: NeutralReply, sequences: readonly string[]): NeutralReply {
  const parts: AssistantPart[] = [];
  for (const part of joinTexts(reply.parts)) {
    const stop = part.type === 'text' ? findStop(part.text, sequences) : undefined;
    if (part.type !== 'text' || stop === undefined) {
      parts.push(part);
      continue;
    }
    if (stop.start > 0) parts.push({ ...part, text: part.text.slice(0, stop.start) });
    const { id, usage } = reply;
    return { id, parts, end: 'stop_sequence', stopSequence: stop.sequence, usage };
  }
  return reply;
}

/** A stop sequence may lie over two texts that follow each other. */
function joinTexts(parts: readonly AssistantPart[]): AssistantPart[] {
  const joined: AssistantPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type !== 'text' || last?.type !== 'text') joined.push(part);
    else joined[joined.length - 1] = joinText(last, part);
  }
  return joined;
}

function joinText(one: TextPart, other: TextPart): TextPart {
  const proof = other.proof ?? one.proof;
  const text = one.text + other.text;
  return { ...one, text, ...(proof === undefined ? {} : { proof }) };
}
