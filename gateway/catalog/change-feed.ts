import type pg from 'pg';

/** What changed since the last look, each thing once. */
export interface Changes {
  readonly catalog: boolean;
  readonly keyIds: readonly string[];
  readonly accountIds: readonly string[];
  /** Accounts with new credits. */
  readonly creditedAccountIds: readonly string[];
}

export interface ChangeFeedOptions {
  readonly pool: pg.Pool;
  readonly pollMs: number;
  readonly onChanges: (changes: Changes) => Promise<void>;
  /** The feed was away and is back: changes may have been trimmed meanwhile, so everything counts as changed. */
  readonly onResumed: () => Promise<void>;
  /** Postgres does not answer, or answers again. */
  readonly onReachable: (reachable: boolean, error: unknown) => void;
}

interface ChangeRow {
  readonly sequence: number;
  readonly kind: string;
  readonly ref: string;
}

/** Rows per look; the next look follows at once when there were as many. */
const ROWS_MAX = 5_000;
/** Changes are kept this long for gateways that were cut off; one that was away longer starts anew. */
const KEPT_INTERVAL = '1 day';
const TRIM_EVERY_MS = 600_000;

const NEWEST = 'select coalesce(max(sequence), 0)::bigint as sequence from changes';
const SINCE =
  'select sequence, kind, ref from changes where sequence > $1 order by sequence limit $2';
const TRIM = `delete from changes where at < now() - interval '${KEPT_INTERVAL}'`;

/**
 * Looks for changes made in the admin API. Sequence order is commit order (record_change in 0001_core.sql), so
 * nothing committed later can have a smaller number than what was seen.
 *
 * A look that fails is repeated; what is known stays in force meanwhile.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #reachable = true;
  #trimmedAtMs = Date.now();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Notes where the feed stands. Before the first snapshot is loaded: so no change falls between the two. */
  async begin(): Promise<void> {
    this.#sequence = await this.#newest();
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#look().finally(() => {
        if (!this.#stopped) this.start();
      });
    }, this.#options.pollMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const { pool, onChanges, onResumed, onReachable } = this.#options;
    try {
      if (!this.#reachable) {
        this.#sequence = await this.#newest();
        await onResumed();
        this.#reachable = true;
        onReachable(true, null);
      }
      let rows: ChangeRow[];
      do {
        ({ rows } = await pool.query<ChangeRow>(SINCE, [this.#sequence, ROWS_MAX]));
        if (rows.length > 0) await onChanges(coalesce(rows));
        this.#sequence = rows.at(-1)?.sequence ?? this.#sequence;
      } while (rows.length === ROWS_MAX);
      await this.#trim();
    } catch (error) {
      if (this.#reachable) onReachable(false, error);
      this.#reachable = false;
    }
  }

  async #newest(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ sequence: number }>(NEWEST);
    return rows[0]?.sequence ?? 0;
  }

  async #trim(): Promise<void> {
    const nowMs = Date.now();
    if (nowMs - this.#trimmedAtMs < TRIM_EVERY_MS) return;
    this.#trimmedAtMs = nowMs;
    await this.#options.pool.query(TRIM);
  }
}

function coalesce(rows: readonly ChangeRow[]): Changes {
  const refs = (kind: string): string[] => [
    ...new Set(rows.filter((row) => row.kind === kind).map((row) => row.ref)),
  ];
  return {
    catalog: rows.some((row) => row.kind === 'catalog'),
    keyIds: refs('key'),
    accountIds: refs('account'),
    creditedAccountIds: refs('credit'),
  };
}
