const NAME_CHARACTERS_MAX = 200;
/** Room for the number of a name that comes more than once. */
const STEM_CHARACTERS_MAX = NAME_CHARACTERS_MAX - 10;
const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;
/** Bedrock refuses all other letters, and white space in a row. */
const REFUSED = /[^A-Za-z0-9()[\]-]+/g;
const UNNAMED = 'document';

/**
 * Gives documents names that Bedrock takes, each a different one: it refuses a request that has a
 * name twice, anywhere in the conversation. A name depends on those before it alone, so that a
 * conversation that grows keeps them and its place in the cache.
 */
export class DocumentNames {
  readonly #taken = new Set<string>();

  add(name = UNNAMED): string {
    const plain = name.replace(EXTENSION, '').replace(REFUSED, ' ').trim();
    const stem = plain.slice(0, STEM_CHARACTERS_MAX).trimEnd() || UNNAMED;
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? stem : `${stem} ${number}`;
      // Names that differ in case alone are the same to Bedrock.
      const key = free.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return free;
    }
  }
}
