/** The kinds of channels whose code reads the errors. */
export type Reader = 'openai' | 'anthropic' | 'gemini' | 'vertex' | 'bedrock';

/** An error as a vendor was reported to send it. */
export interface VendorRefusal {
  readonly vendor: string;
  /** The public report or page that has the words. */
  readonly source: string;
  readonly status: number;
  readonly body: object | string;
  /** The message to the client, if that is not the upstream's. */
  readonly words?: string;
  /** The time until the limit is over. */
  readonly waitMs?: number;
  /** The channel's kind; OpenAI-compatible when absent. */
  readonly reader?: Reader;
}

export const openai = (message: string, more: object = {}): object => ({
  error: { message, ...more },
});
export const anthropic = (type: string, message: string): object => ({
  type: 'error',
  error: { type, message },
});
export const google = (
  code: number,
  status: string,
  message: string,
  more: object = {},
): object => ({
  error: { code, message, status, ...more },
});
