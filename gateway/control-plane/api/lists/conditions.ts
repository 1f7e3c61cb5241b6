/**
 * Collects the conditions of a search, so that it contains what was asked for and nothing else: the
 * planner then sees the index. Columns and texts come from code, never from a request; values are
 * placed as parameters.
 */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** Makes a value a parameter and answers its name, `$1`. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }

  /** A value that was not given is no condition. */
  equal(column: string, value: unknown): void {
    if (value !== undefined) this.#texts.push(`${column} = ${this.place(value)}`);
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  get sql(): string {
    return this.#texts.length === 0 ? '' : `where ${this.#texts.join(' and ')}`;
  }
}
