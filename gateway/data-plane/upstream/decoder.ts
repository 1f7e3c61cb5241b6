import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { CODINGS_MAX, hasZlibHeader } from '../../platform/network/content-coding.ts';

/**
 * Accepts a body that ends before its checksum as far as it came: the protocol detects its own end.
 */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH } as const;
const BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH } as const;

const GZIP_FIRST_BYTE = 0x1f;
const ZSTD_FIRST_BYTE = 0x28;

/** A decoder for what begins with this byte; undefined for what is not coded, whatever is said. */
type Opener = (first: number) => Transform | undefined;

const gzip: Opener = (first) => (first === GZIP_FIRST_BYTE ? createGunzip(ZLIB) : undefined);

/**
 * Decoders by content coding. Upstreams are asked for `identity`, and some send these anyway.
 */
const OPENERS: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', (first) => (hasZlibHeader(first) ? createInflate(ZLIB) : createInflateRaw(ZLIB))],
  ['br', () => createBrotliDecompress(BROTLI)],
  ['zstd', (first) => (first === ZSTD_FIRST_BYTE ? createZstdDecompress() : undefined)],
]);

export interface DecoderSink {
  data(chunk: Buffer): void;
  end(): void;
  /** The bytes are not in the coding that the head has named. */
  broken(error: Error): void;
}

/** A transformation of a reply's bytes before they are read. */
export interface ReplyDecoder {
  /** The chunk's memory is used again afterwards. */
  write(chunk: Buffer): void;
  end(): void;
  pause(): void;
  resume(): void;
  /** The rest is not wanted: a small packet may decode to a thousand times its size. */
  destroy(): void;
}

/** Decodes a reply; the decoder is chosen by its first byte. */
class Decoder implements ReplyDecoder {
  readonly #open: Opener;
  readonly #sink: DecoderSink;
  #transform: Transform | undefined;
  #begun = false;

  constructor(open: Opener, sink: DecoderSink) {
    this.#open = open;
    this.#sink = sink;
  }

  write(chunk: Buffer): void {
    const [first] = chunk;
    if (first === undefined) return;
    if (!this.#begun) {
      this.#begun = true;
      this.#transform = this.#open(first);
      this.#transform?.on('data', (decoded: Buffer) => this.#sink.data(decoded));
      this.#transform?.on('end', () => this.#sink.end());
      this.#transform?.on('error', (error) => this.#sink.broken(error));
    }
    if (this.#transform === undefined) this.#sink.data(chunk);
    // It keeps what it is given.
    else this.#transform.write(Buffer.from(chunk));
  }

  end(): void {
    if (this.#transform === undefined) this.#sink.end();
    else this.#transform.end();
  }

  pause(): void {
    this.#transform?.pause();
  }

  resume(): void {
    this.#transform?.resume();
  }

  destroy(): void {
    this.#transform?.destroy();
  }
}

/**
 * Returns a decoder for the codings of a Content-Encoding header that passes what it decodes to the
 * sink; undefined when none is needed.
 */
export function openDecoder(header: string, sink: DecoderSink): ReplyDecoder | undefined {
  const openers = header
    .split(',', CODINGS_MAX)
    .flatMap((coding) => OPENERS.get(coding.trim().toLowerCase()) ?? []);
  // Each of several is a sink for what was applied after it.
  return openers.reduce<Decoder | undefined>((inner, open) => {
    const next: DecoderSink =
      inner === undefined
        ? sink
        : {
            data: (chunk) => inner.write(chunk),
            end: () => inner.end(),
            broken: (error) => sink.broken(error),
          };
    return new Decoder(open, next);
  }, undefined);
}
