import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';

/** Characters of Base64 for a millisecond of sound: 24 kHz with 16 bits, or 8 kHz with 8 bits. */
const PCM_CHARACTERS_PER_MS = (48 * 4) / 3;
const G711_CHARACTERS_PER_MS = (8 * 4) / 3;

/** The sound of a session, as far as its length follows from its bytes. */
export class SoundFormats {
  #input = PCM_CHARACTERS_PER_MS;
  #output = PCM_CHARACTERS_PER_MS;

  /** Returns the milliseconds of sound that the client sends in so many characters. */
  inputMs(characters: number): number {
    return Math.ceil(characters / this.#input);
  }

  outputMs(characters: number): number {
    return Math.ceil(characters / this.#output);
  }

  /** Takes over the formats of a session as the upstream describes it, in either of its shapes. */
  learn(session: JsonObject): void {
    const audio = objectAt(session, 'audio');
    this.#input = rate(
      formatOf(objectAt(audio, 'input')) ?? session['input_audio_format'],
      this.#input,
    );
    this.#output = rate(
      formatOf(objectAt(audio, 'output')) ?? session['output_audio_format'],
      this.#output,
    );
  }
}

const NOTHING: JsonObject = {};

function objectAt(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isJsonObject(value) ? value : NOTHING;
}

function formatOf(side: JsonObject): unknown {
  const { format } = side;
  return isJsonObject(format) ? format['type'] : undefined;
}

function rate(format: unknown, known: number): number {
  if (typeof format !== 'string') return known;
  return format === 'audio/pcm' || format === 'pcm16'
    ? PCM_CHARACTERS_PER_MS
    : G711_CHARACTERS_PER_MS;
}
