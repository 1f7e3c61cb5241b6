import type { AlertTerms } from '@weir/shared/watch/alerts';
import type { Database } from '../../api/transaction.ts';
import type { Signals } from './signals.ts';

/** The verdict of a rule on one thing now. `unknown` leaves it as it was. */
export interface Finding {
  /** Names the thing among those of the rule. */
  readonly subject: string;
  /** Its name for people; empty where there is only one. */
  readonly name: string;
  readonly verdict: 'true' | 'false' | 'unknown';
  /** The measured value, in no language: "12 % (6/50)". */
  readonly value: string;
}

/** The sources that rules are judged by. */
export interface Sources {
  readonly db: Database;
  readonly signals: Signals;
  /** The subjects that the rule is true of so far. */
  readonly subjects: readonly string[];
}

export type Judge = (sources: Sources, terms: AlertTerms) => Promise<Finding[]>;

export const verdictOf = (isTrue: boolean): Finding['verdict'] => (isTrue ? 'true' : 'false');
