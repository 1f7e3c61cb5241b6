/** Request and reply of one request, on their way from an HTTP thread to PostgreSQL. */
export interface CapturedContent {
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly accountId: string;
  readonly keyId: string;
  /** The bodies, cut at CONTENT_LOG_BYTES_MAX; null when there was no memory for them. */
  readonly bodies: CapturedBodies | null;
  /** Sizes as they passed. */
  readonly requestBytes: number;
  readonly replyBytes: number;
}

export interface CapturedBodies {
  readonly request: Uint8Array<ArrayBuffer>;
  readonly reply: Uint8Array<ArrayBuffer>;
}
