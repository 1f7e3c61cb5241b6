const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const FORMAT_BYTES_MIN = 16;
/** Integer PCM, float PCM, A-law, µ-law and `extensible`: their rate follows from the format. */
const PCM_FORMATS: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);
/** Microsoft's and IMA's, which have as many samples in each block as the format says. */
const ADPCM_FORMATS: ReadonlySet<number> = new Set([2, 0x11]);
const ADPCM_FORMAT_BYTES = 20;

/**
 * Returns the duration of a WAV file in milliseconds; undefined if it is unknown. A data chunk
 * without a size, or with more than there is, as streaming writers leave it, ends with the file.
 */
export function wavDurationMs(file: Buffer): number | undefined {
  let bytesPerSecond = 0;
  let at = RIFF_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= file.length) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const begin = at + CHUNK_HEADER_BYTES;
    if (id === 'fmt ') bytesPerSecond = rateOf(file.subarray(begin, begin + size));
    if (id === 'data') {
      const left = file.length - begin;
      const bytes = size === 0 ? left : Math.min(size, left);
      return bytesPerSecond > 0 ? (bytes * 1_000) / bytesPerSecond : undefined;
    }
    // Chunks begin at even places.
    at = begin + size + (size % 2);
  }
  return undefined;
}

/** @param format the body of a `fmt ` chunk */
function rateOf(format: Buffer): number {
  if (format.length < FORMAT_BYTES_MIN) return 0;
  const tag = format.readUInt16LE(0);
  const samplesPerSecond = format.readUInt32LE(4);
  if (PCM_FORMATS.has(tag)) {
    return samplesPerSecond * format.readUInt16LE(2) * Math.ceil(format.readUInt16LE(14) / 8);
  }
  const isBlocks = ADPCM_FORMATS.has(tag) && format.length >= ADPCM_FORMAT_BYTES;
  const blockSamples = isBlocks ? format.readUInt16LE(18) : 0;
  // Writers set the rate of bytes of ADPCM in several ways.
  if (blockSamples > 0) return (samplesPerSecond * format.readUInt16LE(12)) / blockSamples;
  return format.readUInt32LE(8);
}
