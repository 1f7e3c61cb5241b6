import { readFileSync } from 'node:fs';

const known = new Map<string, string>();

/** The query in sql/<name>.sql. */
export function query(name: string): string {
  let text = known.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');
    known.set(name, text);
  }
  return text;
}
