const HEADER_BYTES = 4;
/** Places that look like a frame and are none; a file with more of them is not measured. */
const FALSE_STARTS_MAX = 1_000_000;
const SYNC_BYTE = 0xff;
const FRAMES_MIN = 2;

/** Bitrates in kbit/s by the header's index, for MPEG 1 and for MPEG 2 and 2.5, layer III. */
const KBITS_OF_MPEG_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_OF_MPEG_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Samples per second by the header's index, of MPEG 1. */
const RATES = [44_100, 48_000, 32_000];

interface Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly samplesPerSecond: number;
}

/**
 * Returns the duration of an MP3 file (MPEG audio, layer III) in milliseconds; undefined if it is
 * none. All frames are counted, at whatever bitrate: the frame counts of Xing, Info and VBRI
 * headers are not used, and the frame that carries one is no audio.
 */
export function mp3DurationMs(file: Buffer): number | undefined {
  let at = 0;
  let falseStarts = 0;
  let frames = 0;
  let seconds = 0;
  let isFirst = true;
  let isSynchronised = false;
  while (at !== -1 && at + HEADER_BYTES <= file.length) {
    const frame = frameAt(file, at);
    // Bytes that look like a header are common: behind anything else, two frames in a row count.
    if (frame === undefined || (!isSynchronised && frameAt(file, at + frame.bytes) === undefined)) {
      falseStarts += 1;
      if (falseStarts > FALSE_STARTS_MAX) return undefined;
      isSynchronised = false;
      at = file.indexOf(SYNC_BYTE, at + 1);
      continue;
    }
    isSynchronised = true;
    const holdsAudio = !isFirst || !isInfoFrame(file.subarray(at, at + frame.bytes));
    isFirst = false;
    // A last frame that is cut off is not decoded.
    if (holdsAudio && at + frame.bytes <= file.length) {
      frames += 1;
      seconds += frame.samples / frame.samplesPerSecond;
    }
    at += frame.bytes;
  }
  return frames < FRAMES_MIN ? undefined : seconds * 1_000;
}

function frameAt(file: Buffer, at: number): Frame | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const header = file.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return undefined;
  const isMpeg1 = version === 3;
  const kbits = (isMpeg1 ? KBITS_OF_MPEG_1 : KBITS_OF_MPEG_2)[(header >>> 12) & 15] ?? 0;
  const rate = RATES[(header >>> 10) & 3];
  // Index 0 is the "free" bitrate, which no encoder in use writes.
  if (kbits === 0 || rate === undefined) return undefined;
  const samplesPerSecond = isMpeg1 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = isMpeg1 ? 1_152 : 576;
  const padding = (header >>> 9) & 1;
  const bytes = Math.floor(((samples / 8) * kbits * 1_000) / samplesPerSecond) + padding;
  return { bytes, samples, samplesPerSecond };
}

/** Encoders put their header within so many bytes of a frame of silence. */
const INFO_WITHIN_BYTES = 64;

function isInfoFrame(frame: Buffer): boolean {
  const text = frame.toString('latin1', 0, INFO_WITHIN_BYTES);
  return text.includes('Xing') || text.includes('Info') || text.includes('VBRI');
}
