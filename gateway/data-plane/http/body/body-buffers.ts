import type { Ticker, Ticking } from '../../../platform/event-loop/ticker.ts';

/** Smaller bodies are left to V8: keeping their memory would save next to nothing. */
const REUSED_BYTES_MIN = 16 * 1024;
/** The largest body that is given its memory before it has come; larger ones grow as they come. */
export const PREALLOCATED_BYTES_MAX = 1024 * 1024;
/**
 * Memory that waits for the next body, in each thread. What more is given back is left to the
 * garbage collector.
 */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;

/** Memory blocks of one size. */
interface SizeClass {
  readonly blockBytes: number;
  readonly free: ArrayBufferLike[];
  /** The fewest that have lain there since the last look. */
  unused: number;
}

/**
 * Memory for request bodies, used again and again. V8 counts each new one as if it grew the heap,
 * and a few hundred bodies of 200 kB make it collect all of it: half as much CPU again as
 * everything that such a request costs otherwise.
 *
 * By releasing a body, the caller says that nothing reads it any more, least of all a socket that
 * still has to send it: the bytes of the next customer's request will be there. A body that is not
 * given back costs nothing but the collection, so a caller that is not sure keeps silent.
 */
export class BodyBuffers implements Ticking {
  place = -1;
  readonly #sizeClasses: SizeClass[] = [];
  /** Bodies in use; a body can be given back once. */
  readonly #lent = new WeakSet<Buffer>();
  #keptBytes = 0;

  constructor(ticker: Ticker) {
    ticker.add(this);
    for (let blockBytes = REUSED_BYTES_MIN; blockBytes <= PREALLOCATED_BYTES_MAX; blockBytes *= 2) {
      this.#sizeClasses.push({ blockBytes, free: [], unused: 0 });
    }
  }

  /** Returns memory for a body of exactly so many bytes. Its content is undefined. */
  take(bytes: number): Buffer {
    if (bytes < REUSED_BYTES_MIN || bytes > PREALLOCATED_BYTES_MAX)
      return Buffer.allocUnsafe(bytes);
    const sizeClass = this.#sizeClass(bytes);
    let block = sizeClass.free.pop();
    if (block === undefined) block = Buffer.allocUnsafeSlow(sizeClass.blockBytes).buffer;
    else this.#keptBytes -= sizeClass.blockBytes;
    sizeClass.unused = Math.min(sizeClass.unused, sizeClass.free.length);
    const body = Buffer.from(block, 0, bytes);
    this.#lent.add(body);
    return body;
  }

  /** @param body as `take` answered it; any other is left alone */
  release(body: Buffer): void {
    if (!this.#lent.delete(body)) return;
    const sizeClass = this.#sizeClass(body.length);
    if (this.#keptBytes + sizeClass.blockBytes > KEPT_BYTES_MAX) return;
    this.#keptBytes += sizeClass.blockBytes;
    sizeClass.free.push(body.buffer);
  }

  /** Frees what has not been used since the last tick. */
  tick(): void {
    for (const sizeClass of this.#sizeClasses) {
      // Those at the front have lain there longest.
      sizeClass.free.splice(0, sizeClass.unused);
      this.#keptBytes -= sizeClass.unused * sizeClass.blockBytes;
      sizeClass.unused = sizeClass.free.length;
    }
  }

  #sizeClass(bytes: number): SizeClass {
    const sizeClass = this.#sizeClasses.find(({ blockBytes }) => bytes <= blockBytes);
    if (sizeClass === undefined) throw new RangeError(`no size class for ${bytes} bytes`);
    return sizeClass;
  }
}
