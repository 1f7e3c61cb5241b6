import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import { scanMembers } from '../../../platform/json/scan-members.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import { withoutDoneEvent } from '../../sse/reply-form.ts';
import type { StreamReader } from '../../stream-reader.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import type { DeliveredImages } from '../wire/delivered-images.ts';
import { estimatedCounts, imagesUsage } from '../wire/image-counts.ts';
import { readImages } from './images-reply.ts';
import { Sketch } from './sketch.ts';

const NOTHING = Buffer.alloc(0);
const DEPTH_MAX = 16;
/** Members before the images that pass as they are. */
const HEAD_FIELDS = new Set(['created', 'background', 'output_format', 'quality', 'size']);
const OBJECT_BEGINS = /^\s*\{/;
const LIST_BEGINS = /^\s*[{,]\s*"data"\s*:\s*\[/;
const BEGIN_BYTES = 64;
/** The most bytes that may follow the images. */
const END_BYTES_MAX = 1_048_576;

/**
 * Passes a whole reply of many megabytes as its packets come. What follows the images, the usage
 * among it, is kept until the request is settled, and is changed like that of a short reply.
 */
export class LargeReply implements StreamReader, DeliveredImages {
  hasContent = false;
  finished = false;
  failure: UpstreamFailure | null = null;
  usage: TokenCounts | null = null;
  readonly promptUsage = null;
  readonly keepsNoChunk = true;
  /** The connection's end is the reply's. */
  readonly done = false;
  readonly outputTokensEstimate = 0;
  /** The upstream sends no byte before it has made all images. */
  readonly isMade = true;
  readonly #request: ImagesRequest;
  readonly #terms: ReplyTerms | undefined;
  readonly #sketch = new Sketch(isWithinList);
  #reply: (Reply & DeliveredImages) | undefined;
  /** Not sent yet. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** The upstream has broken off. */
  #isCut = false;

  constructor(request: ImagesRequest, terms?: ReplyTerms) {
    this.#request = request;
    this.#terms = terms;
  }

  push(chunk: Buffer): Buffer {
    const passed = this.#sketch.add(chunk);
    const out = passed === 0 ? [] : [...this.#kept, chunk.subarray(0, passed)];
    if (passed > 0) {
      this.hasContent = true;
      this.#kept = [];
      this.#keptBytes = 0;
    }
    if (passed < chunk.length) this.#kept.push(Buffer.from(chunk.subarray(passed)));
    this.#keptBytes += chunk.length - passed;
    if (this.#keptBytes > END_BYTES_MAX) {
      const detail = `more than ${END_BYTES_MAX} bytes follow the images`;
      this.failure = { failed: 'reply_too_large', detail };
    }
    const [only = NOTHING] = out;
    return out.length > 1 ? Buffer.concat(out) : only;
  }

  flush(): Buffer {
    this.#reply = readImages(withoutDoneEvent(this.#sketch.bytes), this.#request, this.#terms);
    this.finished = this.#reply !== undefined;
    this.usage = this.#reply?.usage ?? null;
    return NOTHING;
  }

  get whole(): boolean {
    return this.finished;
  }

  /** A client has left: its images were made, and their report has not come. */
  get isEstimate(): boolean {
    return this.#reply === undefined;
  }

  /** A client cannot read a reply that the upstream has broken off. */
  countDelivered(): TokenCounts {
    if (this.#reply !== undefined) return this.#reply.countDelivered();
    const { choices, variant } = this.#request;
    return estimatedCounts({ count: this.#isCut ? 0 : choices, variant });
  }

  deliveredText(): string {
    return '';
  }

  keepAlive(): string {
    return '';
  }

  cutShort(): string {
    return '';
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    this.#isCut ||= code === 'upstream_error';
    return '';
  }

  endMarker(counted: TokenCounts | null): string {
    if (this.#reply === undefined) return '';
    const { bytes, withUsage } = this.#reply;
    const sent = this.#sketch.cutAt;
    const counts = counted === null ? bytes : withUsage(counted);
    if (counted === null || counts.subarray(0, sent).equals(bytes.subarray(0, sent))) {
      return counts.toString('utf8', sent);
    }
    // A usage that the upstream has left out is put first, which the client already has.
    const usage = JSON.stringify(imagesUsage(counted));
    return `${bytes.toString('utf8', sent, bytes.lastIndexOf('}'))},"usage":${usage}}`;
  }
}

/** Reports whether JSON ends within the list of images, and nothing before it has to change. */
function isWithinList(json: Buffer): boolean {
  const { offsets, count } = scanMembers(json, DEPTH_MAX);
  for (let member = 0; member < count; member += 1) {
    const name = json.toString('latin1', offsets[member * 4], offsets[member * 4 + 1]);
    if (!HEAD_FIELDS.has(name)) return false;
  }
  const textAt = (from: number): string => json.toString('latin1', from, from + BEGIN_BYTES);
  return OBJECT_BEGINS.test(textAt(0)) && LIST_BEGINS.test(textAt(offsets[count * 4 - 1] ?? 0));
}
