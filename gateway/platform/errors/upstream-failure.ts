/**
 * The reasons why an upstream did not deliver. Upstream, relay and protocols share these codes.
 */
export type UpstreamFailureCode =
  | 'connect_failed'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'idle_timeout'
  | 'total_timeout'
  | 'address_refused'
  /** The channel's base address or proxy is no address: nothing was sent. */
  | 'address_unusable'
  /** The credential has a character that no header can have: nothing was sent. */
  | 'credential_unusable'
  | 'reply_too_large'
  | 'connection_broke'
  /** Status 2xx, but not what was asked for: HTML, an error event, not a completion. */
  | 'bad_reply'
  /** We ended it: the client left, or there is no money for more. */
  | 'aborted';

/** `detail` is for the log, never for the client. */
export interface UpstreamFailure {
  readonly failed: UpstreamFailureCode;
  readonly detail: string;
  /** The body of a `bad_reply`, if it may name an error. */
  readonly body?: Buffer;
}
