const MARKER_BYTES = 4;
const BLOCK_HEADER_BYTES = 4;
const STREAM_INFO_BYTES = 34;
const STREAM_INFO = 0;
const FRAME_HEADER_BYTES_MAX = 16;
/** No frame is longer: 65,535 samples of 8 channels at 32 bits. */
const FRAME_BYTES_MAX = 65_535 * 8 * 4;

interface StreamInfo {
  readonly blockSamples: number;
  readonly samplesPerSecond: number;
  /** 0 where the writer did not know. */
  readonly samples: number;
}

/**
 * Returns the duration of a FLAC file in milliseconds; undefined if it is unknown. The header's
 * count of samples is compared with the position of the last frame, and the larger one counts.
 */
export function flacDurationMs(file: Buffer): number | undefined {
  if (file.length < MARKER_BYTES + BLOCK_HEADER_BYTES + STREAM_INFO_BYTES) return undefined;
  if (((file[MARKER_BYTES] ?? 0) & 0x7f) !== STREAM_INFO) return undefined;
  const info = readStreamInfo(file.subarray(MARKER_BYTES + BLOCK_HEADER_BYTES));
  if (info.samplesPerSecond === 0) return undefined;
  const samples = Math.max(info.samples, lastFrameEnd(file, info));
  return samples > 0 ? (samples * 1_000) / info.samplesPerSecond : undefined;
}

function readStreamInfo(block: Buffer): StreamInfo {
  const mixed = block.readUIntBE(10, 3);
  return {
    blockSamples: block.readUInt16BE(2),
    samplesPerSecond: mixed >>> 4,
    samples: ((block[13] ?? 0) & 0x0f) * 2 ** 32 + block.readUInt32BE(14),
  };
}

/** Returns the samples up to the end of the last frame; 0 if none is found. */
function lastFrameEnd(file: Buffer, { blockSamples }: StreamInfo): number {
  const first = Math.max(
    MARKER_BYTES + BLOCK_HEADER_BYTES + STREAM_INFO_BYTES,
    file.length - FRAME_BYTES_MAX,
  );
  for (let at = file.length - FRAME_HEADER_BYTES_MAX; at >= first; at -= 1) {
    // The sync code, and whether blocks vary in size.
    if (file[at] !== 0xff || ((file[at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
    const end = frameEnd(file.subarray(at, at + FRAME_HEADER_BYTES_MAX), blockSamples);
    if (end !== undefined) return end;
  }
  return 0;
}

function frameEnd(header: Buffer, blockSamples: number): number | undefined {
  const varies = (header[1] ?? 0) & 1;
  const sizeCode = (header[2] ?? 0) >>> 4;
  const rateCode = (header[2] ?? 0) & 15;
  if (sizeCode === 0 || rateCode === 15) return undefined;
  const number = readNumber(header);
  if (number === undefined) return undefined;
  let at = 4 + number.bytes;
  let samples = BLOCK_SAMPLES[sizeCode] ?? 0;
  if (sizeCode === 6) samples = header.readUInt8(at) + 1;
  if (sizeCode === 7) samples = header.readUInt16BE(at) + 1;
  at += sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  at += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  if (at >= header.length || crc8(header.subarray(0, at)) !== header[at]) return undefined;
  return (varies === 1 ? number.value : number.value * blockSamples) + samples;
}

/** Samples of a block by the header's code. */
const BLOCK_SAMPLES = [
  0, 192, 576, 1_152, 2_304, 4_608, 0, 0, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768,
];

/** Reads the number of a frame or sample, which is coded as UTF-8 with up to seven bytes. */
function readNumber(header: Buffer): { value: number; bytes: number } | undefined {
  const first = header[4] ?? 0;
  if (first < 0x80) return { value: first, bytes: 1 };
  const bytes = Math.clz32(~(first << 24));
  if (bytes < 2 || bytes > 7) return undefined;
  let value = first & (0x7f >>> bytes);
  for (const byte of header.subarray(5, 4 + bytes)) {
    if ((byte & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, bytes };
}

/** The polynomial x^8 + x^2 + x + 1. */
const CRC_POLYNOMIAL = 0x07;

function crc8(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ ((crc & 0x80) === 0 ? 0 : CRC_POLYNOMIAL)) & 0xff;
    }
  }
  return crc;
}
