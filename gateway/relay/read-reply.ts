import type { UpstreamFailure } from '../errors/upstream-failure.ts';
import type { UpstreamBody } from './upstream-body.ts';

/**
 * Reads a whole reply. Answers the failure when it breaks off, or when it is larger than `bytesMax`: then the
 * rest is not taken into memory, and the caller aborts the call.
 */
export function readReply(body: UpstreamBody, bytesMax: number): Promise<Buffer | UpstreamFailure> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    body.attach({
      data: (chunk) => {
        length += chunk.length;
        if (length > bytesMax) {
          parts.length = 0;
          resolve({
            failed: 'reply_too_large',
            detail: `the upstream's reply is larger than REPLY_BODY_BYTES_MAX = ${bytesMax}`,
          });
          return;
        }
        parts.push(chunk);
      },
      end: () => {
        const [first] = parts;
        resolve(parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, length));
      },
      failure: resolve,
    });
  });
}
