import type { TextKind } from '@weir/shared/api/text-faults';

/** One environment variable: how its text is read, what it means, and what it may be. */
export interface Setting<T> {
  readonly read: (text: string) => T | InvalidSetting;
  /** Used when the variable is unset or empty. */
  readonly fallback: T;
  /** Shown in the configuration reference; ends with a full stop. */
  readonly meaning: string;
  readonly unit: string | null;
  readonly secret: boolean;
  /** The characters that its text may contain; `opaque` is not checked. */
  readonly characters: TextKind | 'opaque';
}

/** The reason why a value was refused, and what to write instead. */
export interface InvalidSetting {
  readonly invalid: string;
}

type Options<T> = Pick<Setting<T>, 'meaning'> &
  Partial<Pick<Setting<T>, 'characters'>> & { fallback: T; unit?: string };

function setting<T>(
  options: Options<T> & { secret?: boolean },
  read: Setting<T>['read'],
): Setting<T> {
  return {
    read,
    fallback: options.fallback,
    meaning: options.meaning,
    unit: options.unit ?? null,
    secret: options.secret ?? false,
    characters: options.characters ?? 'line',
  };
}

/** The required form of a text, and its description. */
interface Shape {
  readonly pattern: RegExp;
  readonly expected: string;
}

function readShaped(shape: Shape | undefined): (value: string) => string | InvalidSetting {
  return (value) => {
    if (shape?.pattern.test(value) !== false) return value;
    return { invalid: `has the wrong form; write ${shape.expected}` };
  };
}

export function text(
  options: Options<string | null> & { secret?: boolean; shape?: Shape },
): Setting<string | null> {
  return setting<string | null>(options, readShaped(options.shape));
}

export function requiredText(options: Options<string> & { shape?: Shape }): Setting<string> {
  return setting<string>(options, readShaped(options.shape));
}

interface UrlOptions {
  readonly protocols: readonly string[];
  /**
   * Several addresses may be given, separated by commas; anywhere else a comma is a letter of a
   * password.
   */
  readonly several?: boolean;
}

function readUrl({ protocols, several = false }: UrlOptions): Setting<string | null>['read'] {
  return (value) => {
    const first = several ? (value.split(',')[0] ?? '') : value;
    const parsed = URL.canParse(first) ? new URL(first) : undefined;
    if (parsed !== undefined && protocols.includes(parsed.protocol)) return value;
    const expected = protocols.map((protocol) => `${protocol}//`).join(' or ');
    return { invalid: `is not an address; write one that begins with ${expected}` };
  };
}

export function url(
  options: Options<string | null> & UrlOptions & { secret?: boolean },
): Setting<string | null> {
  return setting<string | null>(options, readUrl(options));
}

/**
 * An address that paths are put after: a slash at its end, or /v1, which clients add, would be
 * there twice.
 */
export function baseUrl(options: Options<string | null>): Setting<string | null> {
  const read = readUrl({ protocols: ['http:', 'https:'] });
  return setting<string | null>(options, (value) => {
    if (/[?#,@]/.test(value)) {
      return {
        invalid: 'is not one plain address; write it without comma, name, query and fragment',
      };
    }
    const known = read(value);
    return typeof known === 'string' ? known.replace(/\/+$/, '').replace(/\/+v1$/, '') : known;
  });
}

/** An address without a path: what it names is served at the root of its host. */
export function originUrl(options: Options<string | null>): Setting<string | null> {
  const { read } = baseUrl(options);
  return setting<string | null>(options, (value) => {
    const known = read(value);
    if (typeof known !== 'string' || new URL(value).pathname === '/') return known;
    return {
      invalid:
        'has a path, and the console is served at the root of its address alone; write it as https://console.example.com',
    };
  });
}

export function integer(options: Options<number> & { min: number; max: number }): Setting<number> {
  return setting<number>(options, (value) => {
    const number = Number(value);
    const whole = Number.isInteger(number);
    if (whole && number >= options.min && number <= options.max) return number;
    const unit = options.unit === undefined ? '' : ` ${options.unit}`;
    const range = `from ${options.min} to ${options.max}${unit}`;
    return {
      invalid: whole
        ? `is out of range; write a number ${range}`
        : `is not a whole number; write one ${range}`,
    };
  });
}

const YES = new Set(['1', 'true', 'yes', 'on']);
const NO = new Set(['0', 'false', 'no', 'off']);

export function flag(options: Options<boolean>): Setting<boolean> {
  return setting<boolean>(options, (value) => {
    if (YES.has(value.toLowerCase())) return true;
    if (NO.has(value.toLowerCase())) return false;
    return { invalid: 'is not a switch; write true or false' };
  });
}

export function choice<const T extends string>(
  options: Options<T> & { of: readonly T[] },
): Setting<T> {
  return setting<T>(options, (value) => {
    const found = options.of.find((known) => known === value);
    return found ?? { invalid: `is not known; write one of ${options.of.join(', ')}` };
  });
}

export function list(
  options: Options<readonly string[]> & { shape: Shape },
): Setting<readonly string[]> {
  return setting<readonly string[]>(options, (value) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const wrong = items.find((item) => !options.shape.pattern.test(item));
    if (wrong === undefined) return [...new Set(items)];
    return { invalid: `holds "${wrong}"; write ${options.shape.expected}, separated by commas` };
  });
}

/** A decimal number of US dollars, read as whole nanodollars. */
export function usd(
  options: Options<number> & { parse: (text: string) => number | undefined },
): Setting<number> {
  return setting<number>(options, (value) => {
    const nanoUsd = options.parse(value);
    if (nanoUsd !== undefined && nanoUsd >= 0) return nanoUsd;
    return { invalid: 'is not an amount in USD; write one such as 25 or 0.5' };
  });
}
