import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { MediaSource, UserPart } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';

/** Videos that Google reads by their address. */
const READ_BY_ADDRESS = /^https:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//;

/** Writes the parts of a user's message, and keeps the first thing that Gemini cannot do. */
export class PartWriter {
  refusal: Refusal | undefined;

  write(part: UserPart): JsonObject {
    switch (part.type) {
      case 'text':
        return { text: part.text };
      case 'image':
        return this.#media(part.source);
      case 'audio':
        return { inlineData: { mimeType: `audio/${part.format}`, data: part.base64 } };
      case 'file': {
        const { source, name } = part;
        if (!('text' in source)) return this.#media(source);
        return { text: name === undefined ? source.text : `${name}\n${source.text}` };
      }
    }
  }

  #media(source: MediaSource): JsonObject {
    if (!('url' in source)) {
      return { inlineData: { mimeType: source.mediaType, data: source.base64 } };
    }
    if (!READ_BY_ADDRESS.test(source.url)) {
      this.refusal ??= invalidValue(
        'messages',
        'The upstream of this model fetches no images or files. Send the bytes as base64, not a URL.',
      );
    }
    return { fileData: { fileUri: source.url } };
  }
}
