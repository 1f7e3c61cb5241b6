/**
 * Renames keys of objects in JSON text that comes in pieces. All other text passes as it came:
 * numbers keep their digits, and text that is no JSON is not changed. A key is held back until it
 * is whole, or longer than those that are renamed.
 */
export class KeyRenamer {
  readonly #names: ReadonlyMap<string, string>;
  /** Letters of the longest key, with its quotation marks. */
  readonly #keyLettersMax: number;
  /** The open brackets, `{` or `[`. */
  readonly #open: string[] = [];
  /** The next string is a key. */
  #expectsKey = false;
  #state: 'between' | 'key' | 'string' = 'between';
  #isEscaped = false;
  /** The key so far, with its first quotation mark. */
  #key = '';

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#keyLettersMax = 2 + Math.max(0, ...[...names.keys()].map(({ length }) => length));
  }

  push(text: string): string {
    let written = '';
    for (const letter of text) {
      if (this.#state === 'between') written += this.#between(letter);
      else written += this.#inString(letter);
    }
    return written;
  }

  /** Returns the text held back, when no more comes. */
  end(): string {
    const rest = this.#key;
    this.#key = '';
    return rest;
  }

  #between(letter: string): string {
    switch (letter) {
      case '{':
      case '[':
        this.#open.push(letter);
        this.#expectsKey = letter === '{';
        return letter;
      case '}':
      case ']':
        this.#open.pop();
        this.#expectsKey = false;
        return letter;
      case ',':
        this.#expectsKey = this.#open.at(-1) === '{';
        return letter;
      case '"':
        this.#state = this.#expectsKey ? 'key' : 'string';
        this.#expectsKey = false;
        if (this.#state === 'string') return letter;
        this.#key = letter;
        return '';
      default:
        return letter;
    }
  }

  #inString(letter: string): string {
    const isEnd = letter === '"' && !this.#isEscaped;
    this.#isEscaped = letter === '\\' && !this.#isEscaped;
    if (this.#state === 'string') {
      if (isEnd) this.#state = 'between';
      return letter;
    }
    this.#key += letter;
    if (!isEnd && this.#key.length < this.#keyLettersMax) return '';
    this.#state = isEnd ? 'between' : 'string';
    return this.#renamed(this.end());
  }

  #renamed(key: string): string {
    const own = this.#names.get(textOf(key));
    return own === undefined ? key : JSON.stringify(own);
  }
}

function textOf(key: string): string {
  try {
    return String(JSON.parse(key));
  } catch {
    return '';
  }
}

/** Renames keys of objects in a whole JSON text. */
export function renameKeys(json: string, names: ReadonlyMap<string, string>): string {
  const renamer = new KeyRenamer(names);
  return renamer.push(json) + renamer.end();
}
