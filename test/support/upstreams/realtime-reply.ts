type Json = Record<string, unknown>;

/** A point of a reply, behind which the vendor may wait or break off. */
export type ReplyPoint = 'asked' | 'created' | 'delta' | 'done';

/** The reply that the vendor makes next, and from then on. */
export interface VendorReply {
  /** Null leaves the report out. */
  usage: Json | null;
  transcript: string;
  /** Milliseconds of 24 kHz sound, in one event. */
  soundMs: number;
  /** The reply waits there until `go`. */
  waitsAt: ReplyPoint | null;
  /** The connection breaks there, without a close. */
  cutsAt: ReplyPoint | null;
  /** The report comes so often. */
  reports: number;
  /** Milliseconds between its events. */
  pauseMs: number;
}

export const REALTIME_USAGE = {
  total_tokens: 1_500,
  input_tokens: 1_000,
  output_tokens: 500,
  input_token_details: {
    text_tokens: 300,
    audio_tokens: 600,
    image_tokens: 100,
    cached_tokens: 500,
    cached_tokens_details: { text_tokens: 100, audio_tokens: 350, image_tokens: 50 },
  },
  output_token_details: { text_tokens: 100, audio_tokens: 400 },
};

export const DEFAULT_REPLY: VendorReply = {
  usage: REALTIME_USAGE,
  transcript: 'I am here.',
  soundMs: 1_000,
  waitsAt: null,
  cutsAt: null,
  reports: 1,
  pauseMs: 0,
};
