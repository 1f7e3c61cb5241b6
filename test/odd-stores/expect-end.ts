import { expect } from 'vitest';

/** A start came to what its row says: it served, or was refused with that sentence. */
export function expectEnd(
  end: { readonly refused: string } | { readonly served: unknown },
  refused: RegExp | undefined,
): void {
  if (refused === undefined) expect(end).toEqual({ served: undefined });
  else expect('refused' in end ? end.refused : 'It served.').toMatch(refused);
}
