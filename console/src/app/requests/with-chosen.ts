import type { Option } from '../core/i18n/i18n';

/**
 * The things to choose from, with the one that is chosen: one that came with the address may be
 * deleted, and what narrows the list is named anyway.
 * @param options Undefined while they are loaded.
 */
export function withChosen(
  options: readonly Option[] | undefined,
  chosen: string,
  other: string,
): readonly Option[] {
  const known = options ?? [];
  if (chosen === '' || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: options === undefined ? '…' : other }];
}
