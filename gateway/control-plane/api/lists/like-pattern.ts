/**
 * A pattern that finds a text anywhere, its own wildcards taken literally; null finds everything.
 */
export function likePattern(search: string | undefined): string | null {
  const wanted = search?.trim() ?? '';
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
