/** A stream of one protocol, as bytes made once; all of them say the same. */
export interface StreamBytes {
  /** Absent: server-sent events. */
  readonly contentType?: string;
  /** The first bytes, with the first piece of content. */
  readonly beginning: Buffer;
  /** One further piece of content. */
  readonly content: Buffer;
  readonly end: Buffer;
}
