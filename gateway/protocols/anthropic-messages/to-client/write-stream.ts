import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { EventWriter } from '../../neutral-form/neutral-form.ts';
import type { EndReason, NeutralEnd, NeutralEvent } from '../../neutral-form/reply.ts';
import { CUT_SHORT_MESSAGES } from '../../stream-reader.ts';
import type { MessagesRequest } from '../from-client/parse-request.ts';
import { renderErrorEvent } from './render-error.ts';
import { askedEnd, stopReasonOf } from '../wire/end-reason.ts';
import { imageNote } from './image-note.ts';
import { beginning, namedEvent } from '../wire/beginning.ts';
import { BlockWriter } from './block-writer.ts';
import { usageObject } from '../usage.ts';

/** Writes a client's stream of Messages. */
export function writeStream(request: MessagesRequest): EventWriter {
  return new MessagesEventWriter(request);
}

/** States: not begun -> open (`message_start` has been sent) -> ended (every block is closed). */
class MessagesEventWriter implements EventWriter {
  readonly #request: MessagesRequest;
  readonly #blocks = new BlockWriter();
  #id = '';
  #begun = false;
  #reason: EndReason = 'stop';
  #refused = false;
  #ended = false;
  #stopSequence: string | null = null;

  constructor(request: MessagesRequest) {
    this.#request = request;
  }

  write(event: NeutralEvent): string {
    if (event.type === 'start') {
      if (!this.#begun) this.#id = event.id;
      return this.#begin();
    }
    if (this.#ended) return '';
    switch (event.type) {
      case 'text':
        return this.#begin() + this.#blocks.text(event.text, event.proof);
      case 'citation':
        return this.#blocks.cite(event.citation);
      case 'refusal':
        this.#refused = true;
        return this.#begin() + this.#blocks.text(event.text);
      case 'image':
        return this.#begin() + this.#blocks.wholeText(imageNote(event.source));
      case 'reasoning':
        return this.#begin() + this.#blocks.thinking(event.text);
      case 'reasoning_proof':
        return this.#begin() + this.#blocks.proof(event.proof);
      case 'tool_call':
        return this.#begin() + this.#blocks.call(event);
      case 'tool_input':
        return this.#begin() + this.#blocks.input(event.index, event.text);
      case 'end':
        return this.#end(event);
      default:
        return '';
    }
  }

  cutShort(): string {
    return this.#ended ? '' : this.#end({ reason: 'length' });
  }

  endMarker(usage: TokenCounts | null): string {
    const end = this.#refused ? 'content_filter' : this.#reason;
    const event = {
      type: 'message_delta',
      delta: {
        stop_reason: stopReasonOf(end, this.#blocks.callsTools),
        stop_sequence: this.#stopSequence,
      },
      usage: usage === null ? { output_tokens: 0 } : usageObject(usage),
    };
    return (
      this.#end({ reason: this.#reason }) +
      namedEvent('message_delta', JSON.stringify(event)) +
      namedEvent('message_stop', '{"type":"message_stop"}')
    );
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  #begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    const { model, promptTokensEstimate } = this.#request;
    const message = beginning(this.#id, model, promptTokensEstimate);
    return namedEvent('message_start', JSON.stringify({ type: 'message_start', message }));
  }

  #end(end: NeutralEnd): string {
    if (this.#ended) return '';
    this.#ended = true;
    const { reason, stopSequence } = askedEnd(end, this.#request.stopSequences);
    this.#reason = reason;
    this.#stopSequence = stopSequence;
    return this.#begin() + this.#blocks.end();
  }
}
