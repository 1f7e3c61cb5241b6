import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { EventReader } from '../../neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import type { FailureFinder } from '../../protocol.ts';
import { readCitations } from '../wire/citations.ts';
import { endReason } from '../wire/end-reason.ts';
import { proofOf } from '../wire/proofs.ts';
import { MessageEnd } from './message-end.ts';
import { streamError } from './stream-error.ts';

const NOTHING: readonly NeutralEvent[] = [];

/** Reads an upstream's stream of Messages. */
export function readStream(findFailure: FailureFinder): EventReader {
  return new MessagesEventReader(findFailure);
}

class MessagesEventReader implements EventReader {
  readonly #findFailure: FailureFinder;
  readonly #end = new MessageEnd();
  /** Numbers of calls by the indexes of their blocks. */
  readonly #calls = new Map<unknown, number>();
  #signature = '';
  /** Characters of text, so far and before the open block. */
  #characters = 0;
  #blockFrom = 0;
  /** Those of the open block: their end is known when it has ended. */
  #citations: unknown[] = [];
  #begun = false;

  constructor(findFailure: FailureFinder) {
    this.#findFailure = findFailure;
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    const event = parseOwnObject(data);
    const type = stringOf(event?.['type']) || name;
    const detail = streamError(event, { type, data, findFailure: this.#findFailure });
    if (detail !== undefined) return [{ type: 'failure', detail }];
    if (event === undefined) return NOTHING;
    switch (type) {
      case 'message_start':
        return this.#start(event['message']);
      case 'content_block_start':
        return this.#blockStart(event);
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_stop':
        return [...this.#prove(), ...this.#cite()];
      case 'message_delta':
        return this.#messageDelta(event);
      case 'message_stop':
        return this.#stop();
      default:
        return NOTHING;
    }
  }

  close(): readonly NeutralEvent[] {
    return NOTHING;
  }

  #start(message: unknown): readonly NeutralEvent[] {
    if (this.#begun || !isOwnJsonObject(message)) return NOTHING;
    this.#begun = true;
    this.#end.start(message['usage']);
    return [{ type: 'start', id: stringOf(message['id']) }, ...this.#usage()];
  }

  #blockStart({ index, content_block: block }: OwnJsonObject): readonly NeutralEvent[] {
    if (!isOwnJsonObject(block)) return NOTHING;
    this.#end.hasBlocks = true;
    switch (block['type']) {
      case 'text':
        this.#blockFrom = this.#characters;
        this.#citations.push(...objectsOf(block['citations']));
        return this.#text(block['text']);
      case 'thinking':
        this.#signature = stringOf(block['signature']);
        return textEvent('reasoning', block['thinking']);
      case 'redacted_thinking': {
        const proof = proofOf(stringOf(block['data']), true);
        return proof === null ? NOTHING : [{ type: 'reasoning_proof', proof }];
      }
      case 'tool_use':
        return this.#call(index, block);
      default:
        return NOTHING;
    }
  }

  #call(blockIndex: unknown, { id, name, input }: OwnJsonObject): readonly NeutralEvent[] {
    const index = this.#calls.size;
    this.#calls.set(blockIndex, index);
    const call = { index, id: stringOf(id), name: stringOf(name), freeForm: false };
    // Anthropic sends the input in pieces; some servers have all of it here.
    const whole = isOwnJsonObject(input) && Object.keys(input).length > 0;
    return [
      { type: 'tool_call', ...call },
      ...(whole ? [{ type: 'tool_input' as const, index, text: JSON.stringify(input) }] : []),
    ];
  }

  #delta({ index, delta }: OwnJsonObject): readonly NeutralEvent[] {
    if (!isOwnJsonObject(delta)) return NOTHING;
    switch (delta['type']) {
      case 'text_delta':
        return this.#text(delta['text']);
      case 'citations_delta':
        this.#citations.push(delta['citation']);
        return NOTHING;
      case 'thinking_delta':
        return textEvent('reasoning', delta['thinking']);
      case 'signature_delta':
        this.#signature += stringOf(delta['signature']);
        return NOTHING;
      case 'input_json_delta': {
        const call = this.#calls.get(index);
        const text = stringOf(delta['partial_json']);
        return call === undefined || text === ''
          ? NOTHING
          : [{ type: 'tool_input', index: call, text }];
      }
      default:
        return NOTHING;
    }
  }

  #text(value: unknown): readonly NeutralEvent[] {
    this.#characters += stringOf(value).length;
    return textEvent('text', value);
  }

  #cite(): readonly NeutralEvent[] {
    if (this.#citations.length === 0) return NOTHING;
    const place = { start: this.#blockFrom, end: this.#characters };
    const citations = readCitations(this.#citations, place);
    this.#citations = [];
    return citations.map((citation) => ({ type: 'citation', citation }));
  }

  #prove(): readonly NeutralEvent[] {
    const proof = proofOf(this.#signature);
    this.#signature = '';
    return proof === null ? NOTHING : [{ type: 'reasoning_proof', proof }];
  }

  #messageDelta(event: OwnJsonObject): readonly NeutralEvent[] {
    this.#end.read(event, '');
    const { delta } = event;
    const reason = isOwnJsonObject(delta) ? delta['stop_reason'] : undefined;
    if (typeof reason !== 'string') return this.#usage();
    const stopSequence = isOwnJsonObject(delta) ? stringOf(delta['stop_sequence']) : '';
    const sequence = stopSequence === '' ? {} : { stopSequence };
    const { isFree } = this.#end;
    return [
      ...this.#usage(),
      { type: 'end', reason: endReason(reason), ...sequence, ...(isFree && { isFree }) },
    ];
  }

  /** A message that stops without a reason has come to a plain end. */
  #stop(): readonly NeutralEvent[] {
    if (!this.#begun || this.#end.reached) return [{ type: 'done' }];
    this.#end.close();
    const reason = this.#calls.size > 0 ? 'tool_calls' : 'stop';
    return [{ type: 'end', reason }, { type: 'done' }];
  }

  /** Until a `message_delta` reports the output, it has only begun. */
  #usage(): NeutralEvent[] {
    const { counts, hasOutput } = this.#end;
    if (counts === null) return [];
    return [{ type: 'usage', usage: hasOutput ? counts : { ...counts, output: 0, reasoning: 0 } }];
  }
}

function textEvent(type: 'text' | 'reasoning', value: unknown): readonly NeutralEvent[] {
  const text = stringOf(value);
  return text === '' ? NOTHING : [{ type, text }];
}
