import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { EventReader } from '../../neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import type { FailureFinder } from '../../protocol.ts';
import type { TargetProfile } from '../../target-profile.ts';
import { readUsage } from '../usage.ts';
import { endReason } from '../wire/end-reason.ts';
import { redactedProof, signatureProof } from '../wire/proofs.ts';
import { OpenBlock } from './open-block.ts';
import { isClientCall, stopSequenceOf } from './read-reply.ts';
import { streamError } from './stream-error.ts';

const NOTHING: readonly NeutralEvent[] = [];

/** Reads the events of ConverseStream: named ones with JSON, as the provider decodes its frames. */
export function readStream(findFailure: FailureFinder, profile?: TargetProfile): EventReader {
  return new ConverseEventReader(findFailure, profile?.streamedInputHasCache === true);
}

/**
 * States: begun -> ended (`messageStop`) -> done (`metadata`, which has the usage and comes behind
 * the end). A stream that closes without `metadata` has ended, and its tokens are counted.
 */
class ConverseEventReader implements EventReader {
  readonly #findFailure: FailureFinder;
  readonly #inputHasCache: boolean;
  /** Numbers of calls by the indexes of their blocks. */
  readonly #calls = new Map<unknown, number>();
  #block = new OpenBlock();
  #ended = false;
  #reported = false;

  constructor(findFailure: FailureFinder, inputHasCache: boolean) {
    this.#findFailure = findFailure;
    this.#inputHasCache = inputHasCache;
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    const event = parseOwnObject(data);
    const detail = streamError(event, { name, findFailure: this.#findFailure });
    if (event === undefined || detail !== undefined) {
      // The reply is whole by then.
      if (this.#ended) return [{ type: 'done' }];
      return [{ type: 'failure', detail: detail ?? '' }];
    }
    switch (name) {
      case 'messageStart':
        return [{ type: 'start', id: '' }];
      case 'contentBlockStart':
        return this.#blockStart(event);
      case 'contentBlockDelta':
        return this.#delta(event);
      case 'contentBlockStop':
        return this.#blockStop();
      case 'messageStop':
        return this.#messageStop(event);
      case 'metadata':
        return this.#metadata(event);
      default:
        return NOTHING;
    }
  }

  close(): readonly NeutralEvent[] {
    return NOTHING;
  }

  /** Blocks of text and of reasoning begin with their first delta. */
  #blockStart({ contentBlockIndex, start }: OwnJsonObject): readonly NeutralEvent[] {
    if (!isOwnJsonObject(start)) return NOTHING;
    const { toolUse, image } = start;
    if (isOwnJsonObject(image)) this.#block.startImage(image['format']);
    if (!isClientCall(toolUse)) return NOTHING;
    const index = this.#calls.size;
    this.#calls.set(contentBlockIndex, index);
    const { toolUseId, name } = toolUse;
    const call = { index, id: stringOf(toolUseId), name: stringOf(name), freeForm: false };
    return [{ type: 'tool_call', ...call }];
  }

  #delta({ contentBlockIndex, delta }: OwnJsonObject): readonly NeutralEvent[] {
    if (!isOwnJsonObject(delta)) return NOTHING;
    const { text, toolUse, reasoningContent, image } = delta;
    if (typeof text === 'string') return textEvent('text', text);
    if (isOwnJsonObject(reasoningContent)) {
      this.#block.addReasoning(reasoningContent);
      return textEvent('reasoning', stringOf(reasoningContent['text']));
    }
    if (isOwnJsonObject(image)) this.#block.addImage(image);
    const index = this.#calls.get(contentBlockIndex);
    if (index === undefined || !isOwnJsonObject(toolUse)) return NOTHING;
    const input = stringOf(toolUse['input']);
    return input === '' ? NOTHING : [{ type: 'tool_input', index, text: input }];
  }

  #blockStop(): readonly NeutralEvent[] {
    const block = this.#block;
    this.#block = new OpenBlock();
    const proof = redactedProof(block.redacted) ?? signatureProof(block.signature);
    const source = block.image;
    return [
      ...(proof === null ? [] : [{ type: 'reasoning_proof' as const, proof }]),
      ...(source.base64 === '' ? [] : [{ type: 'image' as const, source }]),
    ];
  }

  #messageStop(event: OwnJsonObject): readonly NeutralEvent[] {
    const stopReason = event['stopReason'];
    const reason = endReason(stopReason);
    if (reason === 'failed') {
      return [{ type: 'failure', detail: `the reply ended with ${stringOf(stopReason)}` }];
    }
    this.#ended = true;
    const stopSequence = stopSequenceOf(event);
    const sequence = stopSequence === '' ? {} : { stopSequence };
    return [
      ...this.#blockStop(),
      { type: 'end', reason, ...sequence },
      ...(this.#reported ? [{ type: 'done' as const }] : []),
    ];
  }

  #metadata({ usage, serviceTier }: OwnJsonObject): readonly NeutralEvent[] {
    this.#reported = true;
    const counts = readUsage(usage, { serviceTier, inputHasCache: this.#inputHasCache });
    return [
      ...(counts === undefined ? [] : [{ type: 'usage' as const, usage: counts }]),
      ...(this.#ended ? [{ type: 'done' as const }] : []),
    ];
  }
}

function textEvent(type: 'text' | 'reasoning', text: string): readonly NeutralEvent[] {
  return text === '' ? NOTHING : [{ type, text }];
}
