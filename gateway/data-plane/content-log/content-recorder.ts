import type { CapturedContent } from '../../content-log/captured-content.ts';
import type { Principal } from '../authentication/principal.ts';
import { ContentMemory, ContentRecording } from './content-recording.ts';

/** Content of requests under way in one HTTP thread. Beyond it, requests are served without. */
export const RECORDING_BYTES_MAX = 64 * 1024 * 1024;

export interface ContentRecorderOptions {
  /** CONTENT_LOG_BYTES_MAX, for each direction. */
  readonly bytesMax: number;
  /** CONTENT_LOG_DAYS_MAX; with 0 nothing is recorded. */
  readonly daysMax: number;
  readonly memory?: ContentMemory;
}

/** The request that a recording is of. */
interface RecordedRequest {
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly principal: Principal | null;
}

/** Records requests and replies of keys with a content log, and hands them to the main thread. */
export class ContentRecorder {
  readonly #options: ContentRecorderOptions;
  readonly #memory: ContentMemory;
  readonly #send: (content: CapturedContent) => void;

  constructor(options: ContentRecorderOptions, send: (content: CapturedContent) => void) {
    this.#options = options;
    this.#memory = options.memory ?? new ContentMemory(RECORDING_BYTES_MAX);
    this.#send = send;
  }

  records({ keepsContent }: Principal): boolean {
    return keepsContent && this.#options.daysMax > 0;
  }

  begin(body: Buffer): ContentRecording {
    return new ContentRecording(this.#memory, body, this.#options.bytesMax);
  }

  end(recording: ContentRecording, { requestId, createdAtMs, principal }: RecordedRequest): void {
    const bodies = recording.end();
    if (principal === null) return;
    const { accountId, keyId } = principal;
    const { requestBytes, replyBytes } = recording;
    this.#send({ requestId, createdAtMs, accountId, keyId, bodies, requestBytes, replyBytes });
  }
}
