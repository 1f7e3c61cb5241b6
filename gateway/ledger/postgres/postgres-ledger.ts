import type pg from 'pg';
import { causeOf } from '../../platform/errors/cause-of.ts';
import { mayHaveExecuted } from '../../stores/postgres/is-connection-error.ts';
import { repeatCollided } from '../../stores/postgres/repeat-collided.ts';
import { assertExtend, assertHold, assertSettle } from '../amounts.ts';
import type {
  AccountState,
  CreditEntry,
  CreditOutcome,
  ExtendOutcome,
  ExtendRequest,
  HoldOutcome,
  HoldRequest,
  Ledger,
  LedgerUnavailable,
  Payer,
  ReleaseOutcome,
  ReleaseRequest,
  SettleOutcome,
  SettleRequest,
} from '../ledger.ts';
import { finalRefusal, movedClockMs, refusalByStatus } from '../status.ts';
import { OrphanedHoldReleaser } from '../orphaned-hold-releaser.ts';
import * as rows from './rows.ts';
import { query } from './queries.ts';

/** Each takes a connection of the pool, which also serves requests. */
const RELEASES_AT_ONCE_MAX = 4;

export interface PostgresLedgerOptions {
  readonly pool: pg.Pool;
  /** Time for which a closed request is remembered, so that a repetition is recognised. */
  readonly closedMemoryMs: number;
  /**
   * For tests of windows and rates: moves the store's clock by this much; from 1e12 on it is the
   * time itself.
   */
  readonly clockOffsetMs?: () => number;
}

function unavailable(error: unknown): LedgerUnavailable {
  return { code: 'ledger_unavailable', cause: causeOf(error) };
}

/**
 * The ledger in PostgreSQL, used without Redis: one statement per operation, atomic by the row lock
 * of the account. A settle inserts its usage record in the same transaction, so nothing needs a
 * drain.
 */
export class PostgresLedger implements Ledger {
  readonly #pool: pg.Pool;
  readonly #closedMemoryMs: number;
  readonly #clockOffsetMs: () => number;
  readonly #payers = new WeakMap<Payer, string>();
  readonly #orphanedHolds = new OrphanedHoldReleaser(
    (request) => this.release(request),
    RELEASES_AT_ONCE_MAX,
  );

  constructor(options: PostgresLedgerOptions) {
    this.#pool = options.pool;
    this.#closedMemoryMs = options.closedMemoryMs;
    this.#clockOffsetMs = options.clockOffsetMs ?? (() => 0);
  }

  async hold(request: HoldRequest): Promise<HoldOutcome> {
    assertHold(request);
    const refused = refusalByStatus(request.payer, movedClockMs(this.#clockOffsetMs()));
    if (refused !== undefined) return finalRefusal(refused);
    let connection: pg.PoolClient;
    try {
      // Separate from the query: when connecting fails, nothing was sent.
      connection = await this.#pool.connect();
    } catch (error) {
      return unavailable(error);
    }
    let failed = true;
    try {
      const row = await this.#query<rows.HoldRow>(
        'hold',
        [
          request.requestId,
          this.#payer(request.payer),
          request.amountNanoUsd,
          request.minimumNanoUsd,
          request.tokens,
          request.ttlMs,
        ],
        connection,
      );
      failed = false;
      return rows.holdOutcome(row);
    } catch (error) {
      if (error instanceof Error && mayHaveExecuted(error)) this.#orphanedHolds.release(request);
      return unavailable(error);
    } finally {
      connection.release(failed);
    }
  }

  async extend(request: ExtendRequest): Promise<ExtendOutcome> {
    assertExtend(request);
    const row = await this.#ask<rows.ExtendRow>('extend', [
      request.requestId,
      this.#payer(request.payer),
      request.extension,
      request.amountNanoUsd,
      request.minimumNanoUsd,
      request.ttlMs,
    ]);
    return 'cause' in row ? row : rows.extendOutcome(row);
  }

  async settle(request: SettleRequest): Promise<SettleOutcome> {
    assertSettle(request);
    const row = await this.#ask<rows.SettleRow>('settle', [
      request.requestId,
      this.#payer(request.payer),
      request.actualNanoUsd,
      request.tokens,
      request.recordJson,
    ]);
    return 'cause' in row ? row : rows.settleOutcome(row);
  }

  async release(request: ReleaseRequest): Promise<ReleaseOutcome> {
    const row = await this.#ask<rows.ReleaseRow>('release', [request.requestId, request.accountId]);
    return 'cause' in row ? row : { code: row.code };
  }

  async expire(limit: number): Promise<number> {
    const row = await this.#ask<rows.ExpireRow>('expire', [limit]);
    if ('cause' in row) throw new Error(row.cause);
    return row.closed;
  }

  credit(entry: CreditEntry): Promise<CreditOutcome> {
    return this.#ask<rows.CreditRow>('credit', [
      entry.accountId,
      entry.sequence,
      entry.amountNanoUsd,
      entry.holdId ?? null,
    ]);
  }

  async accountState(accountId: string): Promise<AccountState | undefined> {
    const { rows: found } = await this.#pool.query<rows.AccountRow>(query('account-state'), [
      accountId,
    ]);
    const row = rows.only(found);
    return row.accountId === null ? undefined : { ...row, accountId: row.accountId };
  }

  async probe(): Promise<void> {
    await this.#pool.query(query('probe'));
  }

  /** Stops pending releases. The caller owns the pool. */
  close(): Promise<void> {
    this.#orphanedHolds.stop();
    return Promise.resolve();
  }

  async #ask<Row extends object>(
    name: string,
    values: unknown[],
  ): Promise<Row | LedgerUnavailable> {
    try {
      return await this.#query<Row>(name, values);
    } catch (error) {
      return unavailable(error);
    }
  }

  async #query<Row extends object>(
    name: string,
    values: unknown[],
    database: pg.Pool | pg.PoolClient = this.#pool,
  ): Promise<Row> {
    const { rows: found } = await repeatCollided(() =>
      database.query<Row>(query(name), [...values, this.#closedMemoryMs, this.#clockOffsetMs()]),
    );
    return rows.only(found);
  }

  #payer(payer: Payer): string {
    let text = this.#payers.get(payer);
    if (text === undefined) {
      text = JSON.stringify(payer);
      this.#payers.set(payer, text);
    }
    return text;
  }
}
