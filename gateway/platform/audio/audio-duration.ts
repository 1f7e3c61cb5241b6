import { flacDurationMs } from './flac-duration.ts';
import { mp3DurationMs } from './mp3-duration.ts';
import { mp4DurationMs } from './mp4-duration.ts';
import { oggDuration } from './ogg-duration.ts';
import { wavDurationMs } from './wav-duration.ts';
import { webmDurationMs } from './webm-duration.ts';

const ID3_HEADER_BYTES = 10;
/** No file that a vendor accepts is longer. A claim beyond it is damage, or an attack. */
const DURATION_MS_MAX = 24 * 60 * 60 * 1_000;

/** The duration of a file, and how far it can be believed. */
export interface AudioDuration {
  /** Whole milliseconds, at least 1. */
  readonly ms: number;
  /** All of the sound was counted; false: headers and timestamps, which the writer chooses. */
  readonly isCounted: boolean;
}

/**
 * Returns the duration of an audio file, from its container; null if it is unknown: another format,
 * damage, or a duration of 0. Never throws. The time it takes is linear in the size of the file.
 *
 * Frames and packets are counted where the format allows it. A client writes the headers, and a
 * header that understates the duration would be billed too low.
 */
export function audioDuration(file: Buffer): AudioDuration | null {
  const audio = withoutId3(file);
  const { ms: exactMs = 0, isCounted } = measure(audio);
  const ms = Math.round(exactMs);
  return ms > 0 && ms <= DURATION_MS_MAX ? { ms, isCounted } : null;
}

/** The result of a container's reader; `ms` is undefined if it is unknown. */
type Measured = Omit<AudioDuration, 'ms'> & { readonly ms: number | undefined };

function measure(audio: Buffer): Measured {
  const magic = audio.toString('latin1', 0, 12);
  if (/^(RIFF|RF64|BW64)[^]{4}WAVE/.test(magic)) {
    return { ms: wavDurationMs(audio), isCounted: true };
  }
  if (magic.startsWith('OggS')) return oggDuration(audio);
  if (magic.startsWith('fLaC')) return { ms: flacDurationMs(audio), isCounted: false };
  if (magic.startsWith('\x1a\x45\xdf\xa3')) {
    return { ms: webmDurationMs(audio), isCounted: false };
  }
  if (magic.startsWith('ftyp', 4)) return { ms: mp4DurationMs(audio), isCounted: false };
  return { ms: mp3DurationMs(audio), isCounted: true };
}

/** Taggers put ID3 tags in front of FLAC and MP3 alike. */
function withoutId3(file: Buffer): Buffer {
  let audio = file;
  while (audio.length >= ID3_HEADER_BYTES && audio.toString('latin1', 0, 3) === 'ID3') {
    const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((audio[at] ?? 0) & 0x7f), 0);
    audio = audio.subarray(ID3_HEADER_BYTES + size);
  }
  return audio;
}
