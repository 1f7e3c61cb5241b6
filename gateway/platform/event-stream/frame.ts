/**
 * Frames of `application/vnd.amazon.eventstream`
 * (smithy.io/2.0/aws/amazon-eventstream.html). All numbers are big-endian:
 *
 *     total length, 4 · length of headers, 4 · CRC-32 of these 8 bytes, 4
 *     headers · payload · CRC-32 of all before it, 4
 *
 * A header is a name with its length in 1 byte, a type in 1 byte, and a value.
 */
export const EVENT_STREAM_TYPE = 'application/vnd.amazon.eventstream';

export const PRELUDE_BYTES = 12;
/** The prelude and the last CRC: the frame without headers and payload. */
export const FRAME_BYTES_MIN = 16;
export const CRC_BYTES = 4;
export const LENGTH_BYTES = 4;
export const STRING_TYPE = 7;

/** A frame, as far as its headers say what it is. */
export interface Frame {
  readonly messageType: string;
  /** `:event-type`, `:exception-type` or `:error-code`. */
  readonly name: string;
  /** `:error-message`, of frames without a payload. */
  readonly errorMessage: string;
  /** A view of the bytes that were read: valid until more are. */
  readonly payload: Buffer;
}
