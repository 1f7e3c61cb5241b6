import type { Cell } from './cell.ts';

/** Counts the cells of a vendor's rows that fail by a rule of the strict upstream. */
export type Failures = Readonly<Record<string, Readonly<Record<string, number>>>>;

const EXAMPLES = 3;

/** Counts the failures, and describes the first of those whose number is not the known one. */
export function tallyFailures(
  cells: readonly Cell[],
  faults: readonly (string | undefined)[],
  known: Failures,
): { readonly failures: Failures; readonly examples: string } {
  const failures: Record<string, Record<string, number>> = {};
  const examples = new Map<string, string[]>();
  for (const [index, cell] of cells.entries()) {
    const fault = faults[index];
    if (fault === undefined) continue;
    const vendor = cell.row.vendor.id;
    const rule = fault.split(':', 1)[0] ?? '';
    const counts = (failures[vendor] ??= {});
    counts[rule] = (counts[rule] ?? 0) + 1;
    const key = `${vendor}\n${rule}`;
    const list = examples.get(key) ?? [];
    examples.set(key, list);
    list.push(`${cell.client} → ${cell.row.name}, ${cell.name}: ${fault}`);
  }
  const changed = [...examples].filter(([key, list]) => {
    const [vendor = '', rule = ''] = key.split('\n', 2);
    return known[vendor]?.[rule] !== list.length;
  });
  return {
    failures,
    examples: changed.flatMap(([, list]) => list.slice(0, EXAMPLES)).join('\n'),
  };
}
