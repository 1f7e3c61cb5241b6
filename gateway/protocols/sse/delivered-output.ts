import { countWideCharacters, estimateTokens } from '../../tokens/estimate-tokens.ts';
import { ByteWriter } from './byte-writer.ts';

/**
 * Text kept of one reply, for counting its tokens when the upstream reports none. No model writes
 * more; what is beyond it is only estimated.
 */
const DELIVERED_TEXT_BYTES_MAX = 4 * 1_048_576;

const FIRST_WRITE_BYTES = 256;

/**
 * Measures the output that has been handed to the client: content, reasoning, refusals, calls and
 * the transcript of audio.
 */
export class DeliveredOutput {
  #narrowCharacters = 0;
  #wideCharacters = 0;
  #pieces = 0;
  /** The bodies of JSON strings, one after the other, which make one JSON string. */
  readonly #escaped = new ByteWriter({ stays: true });
  #keepsText = true;

  add(text: string): void {
    const wideCharacters = countWideCharacters(text);
    this.#narrowCharacters += text.length - wideCharacters;
    this.#wideCharacters += wideCharacters;
    this.#pieces += 1;
    if (!this.#keepsText) return;
    const escaped = Buffer.from(JSON.stringify(text));
    this.#keep(escaped, 1, escaped.length - 1);
  }

  /**
   * Like `add`, for text that lies in bytes as JSON spells it and whose characters were counted
   * there.
   */
  addEscaped(
    bytes: Buffer,
    span: { readonly textStart: number; readonly textEnd: number },
    characters: { readonly narrowCharacters: number; readonly wideCharacters: number },
  ): void {
    this.#narrowCharacters += characters.narrowCharacters;
    this.#wideCharacters += characters.wideCharacters;
    this.#pieces += 1;
    this.#keep(bytes, span.textStart, span.textEnd);
  }

  /** Strings delivered. */
  get pieces(): number {
    return this.#pieces;
  }

  /** UTF-16 units so far: where in `text` the next piece begins. */
  get characters(): number {
    return this.#narrowCharacters + this.#wideCharacters;
  }

  /** Every piece is at least one token, however short. */
  get tokensEstimate(): number {
    return Math.max(this.#pieces, estimateTokens(this.#narrowCharacters, this.#wideCharacters));
  }

  text(): string {
    const text: unknown = JSON.parse(`"${this.#escaped.view().toString('utf8')}"`);
    return typeof text === 'string' ? text : '';
  }

  /**
   * Called when the stream is over and the upstream has reported its output: the text is not needed
   * any more.
   */
  forgetText(): void {
    this.#keepsText = false;
    this.#escaped.take();
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (!this.#keepsText) return;
    if (this.#escaped.length + end - start > DELIVERED_TEXT_BYTES_MAX) return;
    this.#escaped.expect(FIRST_WRITE_BYTES);
    this.#escaped.append(bytes, start, end);
  }
}
