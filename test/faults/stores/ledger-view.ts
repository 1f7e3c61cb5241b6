import type { Funds } from '../../support/ledger/read-funds.ts';

/**
 * The ledger of a run, read from its store. A ledger of the run's own would load accounts and send
 * settles again, which is the gateways' part.
 */
export interface LedgerView {
  /** By account; without those that the ledger has not opened. */
  funds(accountIds: readonly string[]): Promise<ReadonlyMap<string, Funds>>;
  /** Usage records that have not reached PostgreSQL. */
  waiting(): Promise<number>;
  /** Compares the ledger with the records, at rest. Returns what differs, as sentences. */
  compare(): Promise<readonly string[]>;
  /** Copies the ledger's data into the folder. */
  leaveEvidence(folder: string): Promise<void>;
  close(): void;
}
