import type { Refusal } from '../../../platform/errors/refusal.ts';
import { Breaker, type AttemptNumber, type Evidence } from './breaker.ts';
import { Cooldown } from './cooldown.ts';

/** Accounts whose failures one route remembers; the oldest goes first. */
const ACCOUNTS_MAX = 512;

const OF_ALL = { accountsMin: 2, modelsMin: 1 } as const;
const OF_ONE = { accountsMin: 1, modelsMin: 1 } as const;

/**
 * The health of one route: a model at a channel in one protocol of the upstream.
 *
 * Failures of one account's requests open a breaker for that account; only failures of several
 * accounts open the one for all.
 */
export class RouteHealth {
  readonly upstreamModel: string;
  /** Open while the upstream says that it does not have the model, or not in this protocol. */
  readonly missing = new Cooldown();
  /** The reply to clients meanwhile; undefined if the upstream's words are not for clients. */
  missingRefusal: Refusal | undefined;
  readonly #ofAll = new Breaker(OF_ALL);
  readonly #ofAccounts = new Map<string, Breaker>();

  constructor(upstreamModel: string) {
    this.upstreamModel = upstreamModel;
  }

  /**
   * Returns the time from which an account may be served here, in epoch milliseconds; 0 or past:
   * now.
   */
  blockedUntilMs(accountId: string): number {
    return Math.max(
      this.#ofAll.blockedUntilMs(accountId),
      this.#ofAccounts.get(accountId)?.blockedUntilMs(accountId) ?? 0,
      this.missing.untilMs(accountId),
    );
  }

  started(attempt: AttemptNumber, accountId: string, nowMs: number): void {
    this.#ofAll.started(attempt, accountId, nowMs);
    this.#ofAccounts.get(accountId)?.started(attempt, accountId, nowMs);
  }

  brought(attempt: AttemptNumber, accountId: string): void {
    this.#ofAll.brought(attempt);
    this.#ofAccounts.get(accountId)?.brought(attempt);
  }

  ended(attempt: AttemptNumber, accountId: string): void {
    this.#ofAll.ended(attempt);
    this.#ofAccounts.get(accountId)?.ended(attempt);
  }

  succeeded(attempt: AttemptNumber, accountId: string): void {
    this.#ofAll.succeeded(attempt);
    this.missing.succeeded(attempt);
    const own = this.#ofAccounts.get(accountId);
    own?.succeeded(attempt);
    if (own?.isClean === true) this.#ofAccounts.delete(accountId);
  }

  failed(attempt: AttemptNumber, evidence: Evidence, nowMs: number, latest: AttemptNumber): void {
    const { accountId } = evidence;
    const own = this.#breakerOf(accountId);
    // After a failed probe, another account makes the next one.
    if (this.#ofAll.state(nowMs) === 'half_open') own.open(nowMs, latest);
    else own.failed(attempt, evidence, nowMs, latest);
    this.#ofAll.failed(attempt, evidence, nowMs, latest);
  }

  /**
   * Returns the time until which failures keep any account away, in epoch milliseconds; 0: none.
   */
  openUntilMs(): number {
    let latest = this.#ofAll.openUntilMs;
    for (const own of this.#ofAccounts.values()) latest = Math.max(latest, own.openUntilMs);
    return latest;
  }

  #breakerOf(accountId: string): Breaker {
    let own = this.#ofAccounts.get(accountId);
    if (own === undefined) {
      own = new Breaker(OF_ONE);
      this.#ofAccounts.set(accountId, own);
      if (this.#ofAccounts.size > ACCOUNTS_MAX) {
        const [oldest] = this.#ofAccounts.keys();
        if (oldest !== undefined) this.#ofAccounts.delete(oldest);
      }
    }
    return own;
  }
}
