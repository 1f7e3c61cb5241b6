import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/**
 * Decoders by content coding. Upstreams are asked for `identity`, and some send these all the same.
 */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

export interface DecoderSink {
  data(chunk: Buffer): void;
  end(): void;
  /** The bytes are not in the coding that the head has named. */
  broken(error: Error): void;
}

/**
 * Returns a decoder for a coding that passes what it decodes to the sink; undefined when none is
 * needed.
 */
export function openDecoder(coding: string, sink: DecoderSink): Transform | undefined {
  const decoder = DECODERS.get(coding.trim().toLowerCase())?.();
  if (decoder === undefined) return undefined;
  decoder.on('data', (chunk: Buffer) => sink.data(chunk));
  decoder.on('end', () => sink.end());
  decoder.on('error', (error) => sink.broken(error));
  return decoder;
}
