import type { EventReader } from '../neutral-form.ts';
import type { Proof } from '../proofs/proof.ts';
import type { NeutralEvent } from '../reply.ts';
import { DistinctCalls } from './names/distinct-calls.ts';
import type { Restoration } from './fitted-request.ts';
import { restoreKeys } from './names/restore-keys.ts';
import { answeredEnd } from './restore-reply.ts';

type EventOf<Type extends NeutralEvent['type']> = Extract<NeutralEvent, { type: Type }>;

/** Returns a reader whose events are changed as `restoreReply` changes a whole reply. */
export function restoreEvents(
  reader: EventReader,
  restoration: Restoration | null | undefined,
): EventReader {
  if (restoration === null || restoration === undefined) return reader;
  const keyed = restoreKeys(reader, restoration);
  const changed = restoration.toolNames ?? restoration.formatTool ?? restoration.callIds;
  return changed === undefined ? keyed : new RestoringReader(keyed, restoration);
}

/**
 * With a tool for the format the states are: nothing called -> answered. Text that comes first is
 * held back until it is known whether the answer is a call: before the JSON it would break it.
 */
class RestoringReader implements EventReader {
  readonly #reader: EventReader;
  readonly #toolNames: ReadonlyMap<string, string>;
  readonly #calls: DistinctCalls;
  readonly #formatTool: string | undefined;
  #held: EventOf<'text'>[] = [];
  /** The upstream's number of the call that is the answer. */
  #answer: number | undefined;
  /** The client's numbers of calls by the upstream's; further answers have none. */
  readonly #indexes = new Map<number, number>();
  #hasAnswerText = false;
  #proof: { readonly proof?: Proof } = {};

  constructor(reader: EventReader, { toolNames = new Map(), formatTool, callIds }: Restoration) {
    this.#reader = reader;
    this.#calls = new DistinctCalls(callIds);
    this.#toolNames = toolNames;
    this.#formatTool = formatTool;
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    return this.#restored(this.#reader.read(name, data));
  }

  close(): readonly NeutralEvent[] {
    return this.#restored(this.#reader.close());
  }

  #restored(events: readonly NeutralEvent[]): readonly NeutralEvent[] {
    if (this.#formatTool !== undefined) return events.flatMap((event) => this.#event(event));
    if (!events.some(({ type }) => type === 'tool_call')) return events;
    return events.map((event) => (event.type === 'tool_call' ? this.#restoredCall(event) : event));
  }

  #restoredCall(event: EventOf<'tool_call'>): EventOf<'tool_call'> {
    const name = this.#toolNames.get(event.name) ?? event.name;
    return { ...event, id: this.#calls.idOf(event.id), name };
  }

  #event(event: NeutralEvent): readonly NeutralEvent[] {
    switch (event.type) {
      case 'text':
        if (this.#answer === undefined) this.#held.push(event);
        return [];
      case 'tool_call':
        return this.#call(event);
      case 'tool_input':
        return this.#input(event);
      case 'end':
        return this.#end(event);
      case 'start':
      case 'citation':
      case 'refusal':
      case 'reasoning':
      case 'reasoning_proof':
      case 'image':
      case 'usage':
      case 'done':
      case 'failure':
        return [event];
    }
  }

  #call(event: EventOf<'tool_call'>): readonly NeutralEvent[] {
    if (event.name !== this.#formatTool) {
      const index = this.#indexes.size;
      this.#indexes.set(event.index, index);
      return [...this.#release(), { ...this.#restoredCall(event), index }];
    }
    if (this.#answer !== undefined) return [];
    this.#answer = event.index;
    this.#held = [];
    this.#proof = event.proof === undefined ? {} : { proof: event.proof };
    return [];
  }

  #input({ index, text }: EventOf<'tool_input'>): readonly NeutralEvent[] {
    if (index === this.#answer) return this.#answerText(text);
    const own = this.#indexes.get(index);
    return own === undefined ? [] : [{ type: 'tool_input', index: own, text }];
  }

  #end(event: EventOf<'end'>): readonly NeutralEvent[] {
    if (this.#answer === undefined) return [...this.#release(), event];
    const empty = this.#hasAnswerText ? [] : this.#answerText('{}');
    return [...empty, { ...event, reason: answeredEnd(event.reason, this.#indexes.size > 0) }];
  }

  #answerText(text: string): readonly NeutralEvent[] {
    if (text === '') return [];
    const proof = this.#hasAnswerText ? {} : this.#proof;
    this.#hasAnswerText = true;
    return [{ type: 'text', text, ...proof }];
  }

  #release(): readonly NeutralEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
