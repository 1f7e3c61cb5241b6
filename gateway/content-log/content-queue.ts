import type { CapturedContent } from './captured-content.ts';

/** Bodies that wait; beyond it a request is entered without them. */
export const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Requests that wait; beyond it they are lost. */
const WAITING_MAX = 100_000;
const BATCH_MAX = 32;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Content that waits for PostgreSQL, by key. Keys take turns, so that a busy one holds up none. */
export class ContentQueue {
  readonly #waiting = new Map<string, CapturedContent[]>();
  #requests = 0;
  #bytes = 0;

  /** Bytes of the bodies that wait or are being written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns false when there is no place even for the mark that content was not kept. */
  add(content: CapturedContent): boolean {
    if (this.#requests >= WAITING_MAX) return false;
    const fits = this.#bytes + bytesOf(content) <= WAITING_BYTES_MAX;
    const added = fits ? content : { ...content, bodies: null };
    const known = this.#waiting.get(content.keyId);
    if (known === undefined) this.#waiting.set(content.keyId, [added]);
    else known.push(added);
    this.#requests += 1;
    this.#bytes += bytesOf(added);
    return true;
  }

  /** Takes a batch of one key, empty when nothing waits. To be released when it is over. */
  take(): readonly CapturedContent[] {
    const [next] = this.#waiting;
    if (next === undefined) return [];
    const [keyId, waiting] = next;
    let count = 0;
    let bytes = 0;
    for (const content of waiting.slice(0, BATCH_MAX)) {
      bytes += bytesOf(content);
      if (count > 0 && bytes > BATCH_BYTES_MAX) break;
      count += 1;
    }
    const batch = waiting.splice(0, count);
    // Put back, the key is the last one: a Map keeps insertion order.
    this.#waiting.delete(keyId);
    if (waiting.length > 0) this.#waiting.set(keyId, waiting);
    return batch;
  }

  release(batch: readonly CapturedContent[]): void {
    this.#requests -= batch.length;
    for (const content of batch) this.#bytes -= bytesOf(content);
  }
}

function bytesOf({ bodies }: CapturedContent): number {
  return bodies === null ? 0 : bodies.request.length + bodies.reply.length;
}
