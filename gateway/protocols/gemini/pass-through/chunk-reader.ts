import type { TokenCounts } from '@weir/shared/watch/usage-record';
import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { laterUsage } from '../../fields/later-usage.ts';
import type { DeliveredOutput } from '../../sse/delivered-output.ts';
import { fieldOf } from '../fields.ts';
import { candidatesOf, hasContent, partsOf, textOfPart } from '../from-upstream/parts.ts';
import { readUsage, searchesOf } from '../usage.ts';

/**
 * Follows the chunks of one stream: which candidates have ended, and what was reported and
 * delivered.
 */
export class ChunkReader {
  hasContent = false;
  /** For each candidate that began, by its index: true once it has ended. */
  readonly #ended = new Map<number, boolean>();
  readonly #output: DeliveredOutput;
  readonly #choicesAsked: number;
  #reported: unknown;
  /** The counts of the reports before that one. */
  #before: TokenCounts | undefined;
  /** Pieces of output that had come with or before the report. */
  #reportedPieces = 0;
  #searches = 0;

  constructor(output: DeliveredOutput, choicesAsked: number) {
    this.#output = output;
    this.#choicesAsked = choicesAsked;
  }

  /** Every candidate that began has its finishReason. */
  get finished(): boolean {
    for (const ended of this.#ended.values()) if (!ended) return false;
    return this.#ended.size > 0;
  }

  /** Every candidate that was asked for has its finishReason. */
  get whole(): boolean {
    return this.finished && this.#ended.size >= this.#choicesAsked;
  }

  /** Indexes of the candidates that have not ended; the first where none has begun. */
  get open(): readonly number[] {
    if (this.#ended.size === 0) return [0];
    return [...this.#ended].filter(([, ended]) => !ended).map(([index]) => index);
  }

  /** The last report, also where it covers no output. */
  get report(): TokenCounts | undefined {
    const last = readUsage(this.#reported, this.#searches);
    return last === undefined ? this.#before : laterUsage(this.#before, last);
  }

  /** The counts in force where the last report alone is not: it left something out. */
  get completedReport(): TokenCounts | null {
    const { report } = this;
    const last = readUsage(this.#reported);
    const isWhole =
      report === undefined ||
      (last?.input === report.input &&
        last.output === report.output &&
        last.cachedInput === report.cachedInput);
    return isWhole ? null : report;
  }

  /**
   * The last report where it covers what was delivered: it came with the last piece or behind it.
   * Before the end one that counts no output is of the prompt alone.
   */
  get usage(): TokenCounts | null {
    if (this.#reportedPieces < this.#output.pieces) return null;
    const { report } = this;
    if (report === undefined) return null;
    return this.finished || report.output >= 1 ? report : null;
  }

  read(chunk: OwnJsonObject): void {
    const model = chunk['modelVersion'];
    for (const [position, candidate] of candidatesOf(chunk).entries()) {
      this.#readCandidate(candidate, position);
      // The last chunk repeats those before it.
      this.#searches = Math.max(this.#searches, searchesOf(candidate, model));
    }
    const usage = fieldOf(chunk, 'usageMetadata');
    if (usage === undefined) return;
    this.#before = this.report;
    this.#reported = usage;
    const counts = readUsage(usage);
    if (this.#before === undefined || (counts?.output ?? 0) >= 1) {
      this.#reportedPieces = this.#output.pieces;
    }
  }

  /** Takes the counts of a chunk that was like the one read last, except for its text. */
  recount(keys: readonly string[], numbers: readonly number[]): void {
    const reported = this.#reported;
    if (keys.length === 0 || !isOwnJsonObject(reported)) return;
    for (const [index, key] of keys.entries()) reported[key] = numbers[index];
    this.#reportedPieces = this.#output.pieces;
  }

  #readCandidate(candidate: OwnJsonObject, position: number): void {
    const { index } = candidate;
    const at = typeof index === 'number' ? index : position;
    const reason = stringOf(fieldOf(candidate, 'finishReason'));
    // The name of "none yet" in protocol buffers.
    const ends = reason !== '' && reason !== 'FINISH_REASON_UNSPECIFIED';
    this.#ended.set(at, ends || this.#ended.get(at) === true);
    for (const part of partsOf(candidate)) {
      const text = textOfPart(part);
      if (text !== '') this.#output.add(text);
      if (hasContent(part)) this.hasContent = true;
    }
  }
}
