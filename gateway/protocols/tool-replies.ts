/** Replies to command-line tools that are logged in, besides those of models. */
import type { ReplyDialect } from './dialect.ts';

/** The subject of a limit of spending. `plan` is a window of a subscription. */
export type SpendCapKind = 'key' | 'member' | 'team' | 'account' | 'plan';
export type SpendCapPeriod = 'total' | '5h' | 'day' | 'week' | 'month';

/** A limit of spending that applies to a key, and what is spent of it. */
export interface SpendCap {
  readonly kind: SpendCapKind;
  readonly period: SpendCapPeriod;
  readonly limitNanoUsd: number;
  readonly spentNanoUsd: number;
  /** Epoch milliseconds; null never resets. */
  readonly resetsAtMs: number | null;
}

/** The spend of a key, a second or so behind the ledger. */
export interface KeySpend {
  /** Every limit that applies, that with the smallest part left first. */
  readonly caps: readonly SpendCap[];
  /** In the periods of the account's time zone; a week begins on Monday. */
  readonly dayNanoUsd: number;
  readonly weekNanoUsd: number;
  readonly monthNanoUsd: number;
}

/** The settings that an account sets for the tool, as they are stored. */
export interface ManagedSettings {
  readonly id: string;
  /** `sha256:<hex>` of the settings, which are canonical JSON. */
  readonly checksum: string;
  readonly settingsJson: string;
}

export interface ToolReplies {
  renderSettings(settings: ManagedSettings): string;
  renderSpend(spend: KeySpend): object;
  /** The dialect whose replies say how near a key is to its limit. */
  withStanding(dialect: ReplyDialect, cap: SpendCap): ReplyDialect;
  /** The dialect whose refusals by a budget say when it resets. */
  withSpentCap(dialect: ReplyDialect, cap: SpendCap): ReplyDialect;
}
