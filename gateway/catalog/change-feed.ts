import type pg from 'pg';
import type { ClockSample } from '../platform/clock/clock-measurement.ts';

/** The changes since the last poll, each object once. */
export interface Changes {
  readonly catalog: boolean;
  readonly keyIds: readonly string[];
  readonly accountIds: readonly string[];
  /** Accounts with new credits. */
  readonly creditedAccountIds: readonly string[];
  /** Number of the newest of them. */
  readonly sequence: number;
}

export interface ChangeFeedOptions {
  readonly pool: pg.Pool;
  readonly pollMs: number;
  /** Must return at once: the next look, and with it the next revoked key, waits for it. */
  readonly onChanges: (changes: Changes) => void;
  /**
   * The feed was away and is back: changes may have been trimmed or lost, so everything counts as
   * changed.
   */
  readonly onResumed: () => void;
  /** Postgres does not answer, or answers again. Called once for each change of that. */
  readonly onReachable: (reachable: boolean, error: unknown) => void;
  /** About once a second while Postgres answers. */
  readonly onState?: (state: DatabaseState) => void;
}

/** The state that PostgreSQL reports. */
export interface DatabaseState {
  /** A standby, or a server or role that was set so: it answers and takes no change. */
  readonly isReadOnly: boolean;
  readonly clock: ClockSample;
}

interface ChangeRow {
  readonly sequence: number;
  readonly kind: string;
  readonly ref: string;
}

/** Rows per look; the next look follows at once when there were as many. */
const ROWS_MAX = 5_000;
/**
 * Changes are kept this long for gateways that were cut off; one that was away longer starts over.
 */
const KEPT_INTERVAL = '1 day';
const TRIM_EVERY_MS = 600_000;
/**
 * A look that takes longer counts as failed: Postgres that hangs is as far away as Postgres that is
 * down.
 */
const LOOK_TIMEOUT_MS = 2_000;

const STATE_EVERY_MS = 1_000;
const STATE = `
  select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    to_ms(clock_timestamp()) as "remoteMs"`;

const NEWEST = 'select coalesce(max(sequence), 0)::bigint as sequence from changes';
const SINCE =
  'select sequence, kind, ref from changes where sequence > $1 order by sequence limit $2';
const TRIM = `delete from changes where at < now() - interval '${KEPT_INTERVAL}'`;

/**
 * Looks for changes made in the admin API. Sequence order is commit order (record_change in
 * 0001_core.sql), so nothing committed later can have a smaller number than what was seen.
 *
 * States: reachable <-> away. While away, what is known stays in force and each look tries again.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #reachable = true;
  #trimmedAtMs = performance.now();
  #stateDueMs = 0;
  #isReadOnly = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /**
   * Notes the feed's position. Before the first snapshot is loaded: so no change falls between
   * the two.
   */
  async begin(): Promise<void> {
    this.#sequence = await this.#newest();
    await this.#readState();
  }

  start(): void {
    if (this.#stopped) return;
    const startedAtMs = performance.now();
    this.#running = this.#look().finally(() => {
      if (this.#stopped) return;
      // Counted from the start of the look, so that a slow look does not put off the next one.
      const tookMs = performance.now() - startedAtMs;
      this.#timer = setTimeout(() => this.start(), Math.max(0, this.#options.pollMs - tookMs));
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const { onChanges, onResumed, onReachable } = this.#options;
    try {
      if (!this.#reachable) {
        // After a failover the newest change may be older than what was seen.
        this.#sequence = await this.#newest();
        this.#reachable = true;
        onReachable(true, null);
        onResumed();
      }
      let rows: readonly ChangeRow[];
      do {
        rows = await this.#ask<ChangeRow>(SINCE, [this.#sequence, ROWS_MAX]);
        if (rows.length > 0) onChanges(coalesce(rows));
        this.#sequence = rows.at(-1)?.sequence ?? this.#sequence;
      } while (rows.length === ROWS_MAX);
      if (performance.now() >= this.#stateDueMs) await this.#readState();
      if (!this.#isReadOnly) await this.#trim();
    } catch (error) {
      // The server that answers next may be another one.
      this.#stateDueMs = 0;
      if (this.#reachable) onReachable(false, error);
      this.#reachable = false;
    }
  }

  async #newest(): Promise<number> {
    const rows = await this.#ask<{ sequence: number }>(NEWEST, []);
    return rows[0]?.sequence ?? 0;
  }

  async #readState(): Promise<void> {
    const sentAtMs = performance.now();
    const [row] = await this.#ask<{ isReadOnly: boolean; remoteMs: number }>(STATE, []);
    const receivedAtMs = performance.now();
    this.#stateDueMs = receivedAtMs + STATE_EVERY_MS;
    if (row === undefined) return;
    const { isReadOnly, remoteMs } = row;
    this.#isReadOnly = isReadOnly;
    this.#options.onState?.({ isReadOnly, clock: { remoteMs, sentAtMs, receivedAtMs } });
  }

  async #trim(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#trimmedAtMs < TRIM_EVERY_MS) return;
    this.#trimmedAtMs = nowMs;
    await this.#options.pool.query(TRIM);
  }

  async #ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    // pg knows query_timeout for a single query, too; its types do not.
    const query: pg.QueryConfig & { query_timeout: number } = {
      text,
      values,
      query_timeout: LOOK_TIMEOUT_MS,
    };
    const { rows } = await this.#options.pool.query<Row>(query);
    return rows;
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
    sequence: rows.at(-1)?.sequence ?? 0,
  };
}
