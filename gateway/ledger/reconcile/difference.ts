/** A broken check. Amounts are nanodollars, or counts where the check says so. */
export interface Difference {
  readonly check: string;
  /** An account, a key, or "all accounts". */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** A row of a check; `numeric` columns arrive as text. */
export interface CheckRow {
  readonly check: string;
  readonly subject: string;
  readonly expected: string | number;
  readonly found: string | number;
}

export function differences(rows: readonly CheckRow[]): Difference[] {
  return rows
    .filter(({ expected, found }) => BigInt(expected) !== BigInt(found))
    .map(({ check, subject, expected, found }) => ({
      check,
      subject,
      expected: Number(expected),
      found: Number(found),
    }));
}
