/** Names of tools and ids of calls by the rules of a target. */
import { createHash } from 'node:crypto';
import type { NameRule } from '../../../target-profile.ts';

interface CompiledRule {
  readonly whole: RegExp;
  readonly otherLetters: RegExp;
  readonly first: RegExp;
  /**
   * Inserted between words, or before a first letter that is refused; '' where no such letter is.
   */
  readonly filler: string;
  readonly separator: string;
}

/** Letters that a name may begin with when its own first letter is refused. */
const FILLERS = ['_', 'x', 'X', '0'] as const;

const compiled = new WeakMap<NameRule, CompiledRule>();

function compile(rule: NameRule): CompiledRule {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const { letters, firstLetters = letters, charactersMin = 1, charactersMax } = rule;
  const most = Number.isFinite(charactersMax) ? String(charactersMax) : '';
  const first = new RegExp(`^[${firstLetters}]`, 'u');
  const letter = new RegExp(`^[${letters}]$`, 'u');
  const made = {
    whole: new RegExp(`^(?=[${firstLetters}])[${letters}]{${charactersMin},${most}}$`, 'u'),
    otherLetters: new RegExp(`[^${letters}]`, 'gu'),
    first,
    filler: FILLERS.find((one) => first.test(one) && letter.test(one)) ?? '',
    separator: letter.test('_') ? '_' : '',
  };
  compiled.set(rule, made);
  return made;
}

export function isFitting(name: string, rule: NameRule): boolean {
  return compile(rule).whole.test(name);
}

/** The form of names that replace those that a target refuses. */
export interface NameForm {
  /** Begins the name. Letters that the target refuses are replaced, and it is cut to length. */
  readonly stem: string;
  /** Hexadecimal letters of the digest that makes it distinct. */
  readonly digestLetters: number;
}

/**
 * Returns a name that fits the rule, the same one for the same `of` in every request, so that the
 * prompt caches of vendors hold.
 * @param of what the name is distinct by
 */
export function fittedName(of: string, rule: NameRule, form: NameForm): string {
  const { otherLetters, first, filler, separator } = compile(rule);
  const { charactersMin = 1, charactersMax } = rule;
  const digestLetters = Math.min(Math.max(form.digestLetters, charactersMin), charactersMax);
  const digest = createHash('sha256').update(of).digest('hex').slice(0, digestLetters);
  const clean = form.stem.replace(otherLetters, separator);
  const stem = first.test(clean) || clean === '' ? clean : filler + clean;
  const room = charactersMax - digestLetters - separator.length;
  if (room > 0 && stem !== '') return stem.slice(0, room) + separator + digest;
  return first.test(digest) ? digest : filler + digest.slice(filler.length);
}
