import type { NameRule } from '../../../target-profile.ts';
import { fittedName, isFitting } from './fitted-name.ts';

const DIGEST_LETTERS = 8;

/** The names that take the place of those that a target refuses, and the way back. */
export class FittedNames {
  /** The client's names by the fitted ones. */
  readonly own = new Map<string, string>();
  /** The fitted names by the client's. */
  readonly fitted = new Map<string, string>();

  /** @param emptyStem begins the name that takes the place of an empty one */
  constructor(rule: NameRule, names: Iterable<string>, emptyStem: string) {
    const given = [...names];
    const taken = new Set(given.filter((name) => isFitting(name, rule)));
    for (const name of given) {
      if (taken.has(name) || this.fitted.has(name)) continue;
      const form = { stem: name === '' ? emptyStem : name, digestLetters: DIGEST_LETTERS };
      let fitted = fittedName(name, rule, form);
      // Another one may have the fitted name for its own.
      for (let at = 1; taken.has(fitted); at += 1)
        fitted = fittedName(`${name}\n${at}`, rule, form);
      taken.add(fitted);
      this.fitted.set(name, fitted);
      this.own.set(fitted, name);
    }
  }

  /** Returns the fitted name, the name itself where it fits. */
  of(name: string): string {
    return this.fitted.get(name) ?? name;
  }
}
