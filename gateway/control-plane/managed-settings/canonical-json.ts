import { createHash } from 'node:crypto';

/** JSON with the keys of every object sorted and without white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  );
}

/** The name under which Claude Code knows settings: the digest of their canonical JSON. */
export function checksumOf(json: string): string {
  return `sha256:${createHash('sha256').update(json).digest('hex')}`;
}
