/** The formats of speech and their media types. `pcm` is 24 kHz, 16 bit, mono, without a header. */
export const CONTENT_TYPES = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
} as const;

export type SoundFormat = keyof typeof CONTENT_TYPES;

/** Reports whether a value of `response_format` is a format of speech. */
export function isSoundFormat(value: unknown): value is SoundFormat {
  return typeof value === 'string' && Object.hasOwn(CONTENT_TYPES, value);
}
