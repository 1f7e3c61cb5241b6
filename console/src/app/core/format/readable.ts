import type { Formatter } from './formatter';

/** Shown for a missing value. */
const NOTHING = '–';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

export interface Reader {
  readonly names: Readonly<Record<string, string>>;
  readonly formatter: Pick<Formatter, 'exactUsd' | 'exactMoment' | 'number'>;
  readonly yes: string;
  readonly no: string;
}

/** `firstByteTimeoutMs` as "first byte timeout ms". */
export function readableField(field: string): string {
  return field.replace(/([a-z0-9])([A-Z])/g, (_match, before: string, after: string) =>
    [before, after.toLowerCase()].join(' '),
  );
}

/**
 * A value of a view in words: names for ids, amounts with their currency, a line for each of a list
 * of objects.
 */
export function readable(value: unknown, field: string, reader: Reader): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? reader.yes : reader.no;
  if (typeof value === 'number') return reader.formatter.number(value);
  if (typeof value === 'string') return readableText(value, field, reader);
  if (Array.isArray(value)) {
    const parts: readonly unknown[] = value;
    const separator = parts.some((part) => typeof part === 'object') ? '\n' : ', ';
    return parts.map((part) => readable(part, field, reader)).join(separator) || NOTHING;
  }
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${readableField(name)}: ${readable(part, name, reader)}`)
    .join(', ');
}

function readableText(text: string, field: string, { names, formatter }: Reader): string {
  if (Object.hasOwn(names, text)) return names[text] ?? text;
  if (field.endsWith('Usd') && /^-?\d+(\.\d+)?$/.test(text)) return formatter.exactUsd(text);
  return INSTANT.test(text) ? formatter.exactMoment(text) : text;
}
