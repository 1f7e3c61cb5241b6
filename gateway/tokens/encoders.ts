import { createRequire } from 'node:module';
import type * as O200k from 'gpt-tokenizer/encoding/o200k_base';

/** The tokens of a text, in which nothing is special: "<|endoftext|>" is what someone wrote. */
export interface Encoder {
  count(text: string): number;
  /** Lets go of the texts it remembers. */
  forget(): void;
}

type EncodingName = 'o200k_base' | 'cl100k_base';

/**
 * "gpt-4", "gpt-4-turbo", "gpt-3.5-turbo" and Azure's "gpt-35-turbo", but not "gpt-4o", "gpt-4.1",
 * "gpt-4.5".
 */
const CL100K_MODEL = /(?:^|[/:])gpt-(?:4(?:-|$)|3\.?5(?:-|$))/i;

/**
 * Words whose tokens are remembered within one count. Each entry may keep the whole text it was cut
 * from.
 */
const REMEMBERED_WORDS_MAX = 10_000;

/** The encoder's guard against special tokens is switched off by forbidding none. */
const PLAIN = { disallowedSpecial: new Set<string>() };

const require = createRequire(import.meta.url);
const encoders = new Map<EncodingName, Encoder>();

/**
 * The encoder for a model. Models of other vendors have other vocabularies; they get the one that
 * OpenAI uses now. The first use of a vocabulary loads it, which takes about 0.4 s and 70 MB: that
 * is why it is not imported.
 */
export function encoderFor(model: string): Encoder {
  const name = CL100K_MODEL.test(model) ? 'cl100k_base' : 'o200k_base';
  let encoder = encoders.get(name);
  if (encoder === undefined) {
    encoder = load(name);
    encoders.set(name, encoder);
  }
  return encoder;
}

function load(name: EncodingName): Encoder {
  // Both modules have the same shape. `require` is what loads a module without a promise.
  const encoding = require(`gpt-tokenizer/encoding/${name}`) as typeof O200k;
  encoding.setMergeCacheSize(REMEMBERED_WORDS_MAX);
  return {
    count: (text) => encoding.countTokens(text, PLAIN),
    forget: () => encoding.clearMergeCache(),
  };
}
