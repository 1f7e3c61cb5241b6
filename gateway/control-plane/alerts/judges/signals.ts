import type { Problem } from '@weir/shared/api/problems';
import type { BalanceCurrency } from '@weir/shared/prices/upstream-balances';

/** The signals by which rules are judged. Counters are sums over all processes. */
export interface Signals {
  /** Requests answered within the last minutes, and those of them with a status of 5xx. */
  requests(windowMinutes: number): Promise<Counted>;
  /** The channels that any process has tried since it began. */
  channels(windowMinutes: number): Promise<readonly ChannelSignal[]>;
  /** Age of the oldest bill that has not reached Postgres; null while no process says so. */
  drainLagMs(): Promise<number | null>;
  jobs(): Promise<readonly JobSignal[]>;
  /** Faults that live processes report of their stores, clocks and credentials. */
  problems(): Promise<readonly Problem[]>;
  upstreamBalances(): Promise<readonly UpstreamBalance[]>;
}

interface Counted {
  readonly requests: number;
  readonly failures: number;
}

export interface ChannelSignal {
  readonly channelId: string;
  /** Within the window. */
  readonly attempts: number;
  readonly failures: number;
  /** A process avoids the channel now. */
  readonly isOpen: boolean;
}

export interface JobSignal {
  readonly name: string;
  /** No process has done it for several of its periods. */
  readonly isLate: boolean;
  readonly lastFailure: string | null;
}

/** The balance at an upstream that reports it, in billionths of its own currency. */
export interface UpstreamBalance {
  readonly channelId: string;
  readonly balanceNano: number;
  readonly currency: BalanceCurrency;
}
