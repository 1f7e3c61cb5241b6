import type { AudioDuration } from '../../../platform/audio/audio-duration.ts';

/** No speech in use is encoded at less than 8 kbit/s, at which each byte is a millisecond. */
const MS_PER_BYTE_MAX = 1;
/** Vendors report whole seconds, rounded up. */
const SECOND_MS = 1_000;

/** The most milliseconds that a file is held and billed for. */
export function heldMs(audio: AudioDuration | null, fileBytes: number): number {
  const byBytes = fileBytes * MS_PER_BYTE_MAX;
  const ms = audio?.isCounted === true ? audio.ms : Math.max(byBytes, audio?.ms ?? 0);
  return (Math.ceil(ms / SECOND_MS) + 1) * SECOND_MS;
}

/** The milliseconds that are billed if the upstream reports none. */
export function measuredMs(
  audio: AudioDuration | null,
  fileBytes: number,
): { readonly ms: number; readonly isEstimate: boolean } {
  return audio === null
    ? { ms: fileBytes * MS_PER_BYTE_MAX, isEstimate: true }
    : { ms: audio.ms, isEstimate: !audio.isCounted };
}

/** Returns seconds as a vendor writes them, in milliseconds; undefined if they are none. */
export function msOfSeconds(seconds: unknown): number | undefined {
  const number = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  return Math.round(number * SECOND_MS);
}
