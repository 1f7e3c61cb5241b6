import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { parseOwnObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import { streamError } from '../../openai-family/chunks/stream-error.ts';
import type { FailureFinder } from '../../protocol.ts';
import { EVENT_TOO_LARGE } from '../../sse/event-passer.ts';
import { DONE_MARK } from '../../sse/reply-form.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import type { DeliveredImages } from '../wire/delivered-images.ts';
import { estimatedCounts, reportedCounts, tokensPerImage } from '../wire/image-counts.ts';
import { variantWord, type ImageVariant } from '../wire/variant.ts';
import { Sketch } from './sketch.ts';

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
/** Events of fewer bytes have no image; they may be errors, and are kept until they are read. */
const KEPT_BYTES_MAX = 8_192;

/**
 * Passes a stream of images. An event of many megabytes leaves as its packets come: it is neither
 * kept nor copied. The blank line that ends the event of a completed image is kept until the
 * request is settled, and nothing of the event can be read before it.
 *
 * States of an event: kept (too short to be an image) -> passing -> over.
 */
export class ImagesStream implements StreamReader, DeliveredImages {
  hasContent = false;
  failure: UpstreamFailure | null = null;
  usage: TokenCounts | null = null;
  readonly promptUsage = null;
  readonly keepsNoChunk = true;
  readonly #request: ImagesRequest;
  readonly #findFailure: FailureFinder;
  readonly #eventBytesMax: number;
  #sketch = new Sketch();
  #variant: ImageVariant;
  #completed = 0;
  /** A part of an image that is not completed has been delivered. */
  #isPartial = false;
  /** The bytes of an event that is still kept. */
  #kept: Buffer[] = [];
  #isPassing = false;
  /** Bytes of the line under way, without its end. */
  #lineBytes = 0;
  /** The end of a completed image's event, which has not been sent. */
  #ending: Buffer = NOTHING;

  constructor(request: ImagesRequest, findFailure: FailureFinder, eventBytesMax = Infinity) {
    this.#request = request;
    this.#findFailure = findFailure;
    this.#eventBytesMax = eventBytesMax;
    this.#variant = request.variant;
  }

  push(chunk: Buffer): Buffer {
    const out: Buffer[] = [];
    for (let at = 0; at < chunk.length && this.failure === null;) {
      const lineEnd = chunk.indexOf(LF, at);
      const end = lineEnd === -1 ? chunk.length : lineEnd + 1;
      this.#take(chunk.subarray(at, end), out);
      at = end;
    }
    const [only] = out;
    return out.length === 1 && only !== undefined ? only : Buffer.concat(out);
  }

  flush(): Buffer {
    // An upstream may leave out the last blank line.
    return this.#sketch.bytesTotal > 0 ? this.push(Buffer.from('\n\n')) : NOTHING;
  }

  get finished(): boolean {
    return this.#completed > 0 && !this.#isPartial;
  }

  get whole(): boolean {
    return this.#completed >= this.#request.choices;
  }

  get done(): boolean {
    return this.whole;
  }

  get outputTokensEstimate(): number {
    return this.#made * tokensPerImage(this.#variant);
  }

  /** A client that has a part of an image has seen it: it is billed as a whole one. */
  get #made(): number {
    return this.#completed + (this.#isPartial || this.#isPassing ? 1 : 0);
  }

  countDelivered(): TokenCounts {
    return estimatedCounts({ count: this.#made, variant: this.#variant });
  }

  deliveredText(): string {
    return '';
  }

  /** A comment within a line would become a part of the image. */
  keepAlive(): string | undefined {
    return this.#isPassing ? '' : undefined;
  }

  cutShort(): string {
    return '';
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    const error = { message: CUT_SHORT_MESSAGES[code], type: 'server_error', param: null, code };
    const before = this.#isPassing ? '\n\n' : this.#ending.toString();
    return `${before}event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
  }

  endMarker(): string {
    return this.#ending.toString();
  }

  /** Takes a line, or a part of one. */
  #take(piece: Buffer, out: Buffer[]): void {
    const hasEnd = piece[piece.length - 1] === LF;
    let length = hasEnd ? piece.length - 1 : piece.length;
    // Of CR LF the two may come apart.
    if (piece[length - 1] === CR) length -= 1;
    const isBlank = hasEnd && this.#lineBytes + length === 0;
    this.#lineBytes = hasEnd ? 0 : this.#lineBytes + length;
    if (!isBlank) {
      this.#addToEvent(piece, out);
      return;
    }
    if (this.#sketch.bytesTotal === 0) return;
    const event = readSketch(this.#sketch);
    this.#sketch = new Sketch();
    const failed = this.#endEvent(event, piece, out);
    if (failed !== undefined) this.failure = { failed: 'bad_reply', detail: failed };
    this.#kept = [];
    this.#isPassing = false;
  }

  #addToEvent(piece: Buffer, out: Buffer[]): void {
    if (this.#ending.length > 0) out.push(this.#ending);
    this.#ending = NOTHING;
    this.#sketch.add(piece);
    const { bytesTotal } = this.#sketch;
    if (bytesTotal > this.#eventBytesMax) {
      this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
      return;
    }
    if (!this.#isPassing && bytesTotal > KEPT_BYTES_MAX) {
      this.#isPassing = true;
      this.hasContent = true;
      out.push(...this.#kept);
      this.#kept = [];
    }
    if (this.#isPassing) out.push(piece);
    else this.#kept.push(Buffer.from(piece));
  }

  /** Returns what is wrong with an event, for the log. */
  #endEvent({ name, text, data }: SketchedEvent, end: Buffer, out: Buffer[]): string | undefined {
    if (text.trim() === DONE_MARK) return undefined;
    if (text !== '') {
      const failed = streamError(data, name, this.#findFailure);
      if (failed !== undefined) return failed;
    }
    out.push(...this.#kept);
    const type = typeof data?.['type'] === 'string' ? data['type'] : name;
    if (data !== undefined && type.endsWith('.completed')) {
      this.#complete(data);
      this.#ending = Buffer.from(end);
      return undefined;
    }
    if (type.endsWith('.partial_image')) {
      this.hasContent = true;
      this.#isPartial = true;
    }
    out.push(end);
    return undefined;
  }

  #complete({ size, quality, usage }: OwnJsonObject): void {
    this.hasContent = true;
    this.#isPartial = false;
    this.#completed += 1;
    this.#variant = {
      size: variantWord(size) ?? this.#variant.size,
      quality: variantWord(quality) ?? this.#variant.quality,
    };
    const made = { count: this.#completed, variant: this.#variant };
    const reported = reportedCounts(usage, made);
    if (reported !== null) this.usage = this.usage === null ? reported : sum(this.usage, reported);
    else if (this.usage !== null) this.usage = withImages(this.usage, this.#completed);
  }
}

/** An event as far as it is read: without most of the image in it. */
interface SketchedEvent {
  readonly name: string;
  /** The data as it was written, cut as above. */
  readonly text: string;
  readonly data: OwnJsonObject | undefined;
}

/** Reads an event from its sketch. */
function readSketch({ bytes }: Sketch): SketchedEvent {
  const lines = bytes.toString('utf8').split(/\r?\n/);
  const values = (field: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim());
  const text = values('data').join('\n');
  return { name: values('event').at(-1) ?? '', text, data: parseOwnObject(Buffer.from(text)) };
}

/** Each event reports its own image. */
function sum(one: TokenCounts, other: TokenCounts): TokenCounts {
  const add = (name: 'imageInput' | 'imageOutput'): number =>
    (one.extra?.[name] ?? 0) + (other.extra?.[name] ?? 0);
  return {
    ...other,
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    output: one.output + other.output,
    extra: { ...other.extra, imageInput: add('imageInput'), imageOutput: add('imageOutput') },
  };
}

function withImages(usage: TokenCounts, image: number): TokenCounts {
  return { ...usage, extra: { ...usage.extra, image } };
}
