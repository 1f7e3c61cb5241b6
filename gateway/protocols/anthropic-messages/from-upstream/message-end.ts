import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import { namedEvent } from '../wire/beginning.ts';
import { isFreeRefusal, knownStopReason } from '../wire/end-reason.ts';
import {
  countsOutput,
  hasCountsAsText,
  mergeUsage,
  readUsage,
  understates,
  usageObject,
} from '../usage.ts';

const MESSAGE_STOP = namedEvent('message_stop', '{"type":"message_stop"}');

/**
 * The end of a streamed message: its stop reason and usage, which are kept back until the request
 * is settled.
 */
export class MessageEnd {
  #usage: OwnJsonObject = {};
  /** A block of the message calls a tool. */
  callsTools = false;
  /** A block of the message has begun. */
  hasBlocks = false;
  /** The output has been reported, not only begun. */
  #hasOutput = false;
  #delta: OwnJsonObject | undefined;
  /** The event's data as it came, while there was one alone. */
  #data: string | undefined;

  /** The usage known so far, even if the report covers no output. */
  get counts(): TokenCounts | null {
    return readUsage(this.#usage) ?? null;
  }

  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /** The message has its stop reason. */
  get reached(): boolean {
    return typeof this.#delta?.['stop_reason'] === 'string';
  }

  get isFree(): boolean {
    return isFreeRefusal(this.#delta?.['stop_reason'], this.hasBlocks);
  }

  /** Takes the usage of a `message_start`. Its output has only begun. */
  start(usage: unknown): void {
    if (isOwnJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, { ...usage, output_tokens: null });
    }
  }

  /** Takes a `message_delta`: what it reports is cumulative, and the last report is in force. */
  read(event: OwnJsonObject, data: string): void {
    const { usage, delta } = event;
    if (isOwnJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, usage);
      this.#hasOutput ||= countsOutput(usage);
    }
    const first = this.#delta === undefined;
    this.#data = first && this.#isTrue(usage) ? data : undefined;
    this.#delta = { ...this.#delta, ...(isOwnJsonObject(delta) ? notNull(delta) : {}) };
    this.#fixReason();
  }

  /** Reports whether clients read the billed counts from a report. */
  #isTrue(usage: unknown): boolean {
    if (!isOwnJsonObject(usage)) return true;
    return !hasCountsAsText(usage) && !understates(usage, this.#usage);
  }

  /** A stream that has ended without a stop reason means a plain end. */
  close(): void {
    if (this.reached) return;
    this.#data = undefined;
    this.#delta = { ...this.#delta, stop_reason: this.callsTools ? 'tool_use' : 'end_turn' };
  }

  #fixReason(): void {
    const reason = this.#delta?.['stop_reason'];
    if (typeof reason !== 'string') return;
    const known = knownStopReason(reason, this.callsTools);
    if (known === reason) return;
    this.#data = undefined;
    this.#delta = { ...this.#delta, stop_reason: known };
  }

  /** The reply has reached its limit here. */
  cutShort(): void {
    this.#data = undefined;
    this.#delta = { ...this.#delta, stop_reason: 'max_tokens' };
  }

  /** Returns the terminal events, with these counts or, for null, with what was reported. */
  events(counted: TokenCounts | null): string {
    if (counted === null && this.#data !== undefined) {
      return namedEvent('message_delta', this.#data) + MESSAGE_STOP;
    }
    const usage = counted === null ? { output_tokens: 0, ...this.#usage } : usageObject(counted);
    const delta = { stop_reason: null, stop_sequence: null, ...this.#delta };
    const event = { type: 'message_delta', delta, usage };
    return namedEvent('message_delta', JSON.stringify(event)) + MESSAGE_STOP;
  }
}

function notNull(object: OwnJsonObject): OwnJsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
