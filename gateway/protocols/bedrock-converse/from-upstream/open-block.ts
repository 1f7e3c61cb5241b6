import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/** The content of a block that only its end completes: a proof, or an image. */
export class OpenBlock {
  #signature = '';
  #imageFormat = '';
  /** Each piece of a blob is base64 by itself, so they are joined as bytes. */
  #redacted: Buffer[] = [];
  #image: Buffer[] = [];

  startImage(format: unknown): void {
    this.#imageFormat = stringOf(format);
  }

  addImage({ source }: OwnJsonObject): void {
    const bytes = isOwnJsonObject(source) ? stringOf(source['bytes']) : '';
    this.#image.push(Buffer.from(bytes, 'base64'));
  }

  addReasoning({ signature, redactedContent }: OwnJsonObject): void {
    this.#signature += stringOf(signature);
    this.#redacted.push(Buffer.from(stringOf(redactedContent), 'base64'));
  }

  get signature(): string {
    return this.#signature;
  }

  /** The bytes in base64. */
  get redacted(): string {
    return Buffer.concat(this.#redacted).toString('base64');
  }

  /** The bytes in base64. */
  get image(): { readonly base64: string; readonly mediaType: string } {
    const base64 = Buffer.concat(this.#image).toString('base64');
    return { base64, mediaType: `image/${this.#imageFormat}` };
  }
}
