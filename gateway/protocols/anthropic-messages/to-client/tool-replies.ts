/**
 * Replies to Claude Code that is logged in to this gateway, by the contract that its own gateway
 * prints at `GET /protocol` (2.1.332).
 */
import { isBudgetCode } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { RenderedError } from '../../dialect.ts';
import type {
  KeySpend,
  ManagedSettings,
  SpendCap,
  SpendCapPeriod,
  ToolReplies,
} from '../../tool-replies.ts';

type Header = readonly [name: string, value: string];

const PREFIX = 'anthropic-ratelimit-unified';
const NANO_USD_PER_CENT = 10_000_000;
const PERCENT = 100;
/** From these parts of a limit on the client warns. */
const THRESHOLDS = [0.95, 0.75];
/** A request that is allowed never shows a whole limit as used. */
const USED_WHILE_ALLOWED_MAX = 0.99;
const MS = 1_000;

/** The client knows calendar periods alone; others are named by the next longer one. */
const PERIODS: Readonly<Record<SpendCapPeriod, string>> = {
  '5h': 'daily',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'monthly',
};

export const toolReplies: ToolReplies = {
  renderSettings: ({ id, checksum, settingsJson }: ManagedSettings) =>
    `{"uuid":${JSON.stringify(id)},"checksum":${JSON.stringify(checksum)},"settings":${settingsJson}}`,
  renderSpend,
  withStanding: (dialect, cap) => ({ ...dialect, furtherHeaders: standingHeaders(cap) }),
  withSpentCap: (dialect, cap) => ({
    ...dialect,
    renderError: (refusal, requestId) =>
      isBudgetCode(refusal.refused)
        ? spentError(dialect.renderError(withReset(refusal, cap), requestId), cap)
        : dialect.renderError(refusal, requestId),
  }),
};

function usedPart({ spentNanoUsd, limitNanoUsd }: SpendCap): number {
  return limitNanoUsd === 0 ? 1 : spentNanoUsd / limitNanoUsd;
}

function resetHeaders({ resetsAtMs }: SpendCap): Header[] {
  if (resetsAtMs === null) return [];
  const seconds = String(Math.ceil(resetsAtMs / MS));
  return [
    [`${PREFIX}-reset`, seconds],
    [`${PREFIX}-overage-reset`, seconds],
  ];
}

function standingHeaders(cap: SpendCap): Header[] {
  const used = Math.min(usedPart(cap), USED_WHILE_ALLOWED_MAX);
  const surpassed = THRESHOLDS.find((threshold) => used >= threshold);
  const status = surpassed === undefined ? 'allowed' : 'allowed_warning';
  return [
    [`${PREFIX}-status`, status],
    [`${PREFIX}-representative-claim`, 'overage'],
    [`${PREFIX}-overage-status`, status],
    // Down: 0.749 has not passed 0.75.
    [`${PREFIX}-overage-utilization`, (Math.floor(used * PERCENT) / PERCENT).toFixed(2)],
    ...(surpassed === undefined
      ? []
      : ([[`${PREFIX}-overage-surpassed-threshold`, String(surpassed)]] as const)),
    ...resetHeaders(cap),
  ];
}

/** The client shows this one message and nothing else. */
function withReset(refusal: Refusal, { resetsAtMs }: SpendCap): Refusal {
  if (resetsAtMs === null) return refusal;
  const [date = '', time = ''] = new Date(resetsAtMs).toISOString().split('T');
  return {
    ...refusal,
    message: `${refusal.message} It resets on ${date} at ${time.slice(0, 5)} UTC.`,
  };
}

/** A refusal by a budget, as the client expects the end of a limit: 429, and no further try. */
function spentError(rendered: RenderedError, cap: SpendCap): RenderedError {
  const waitSeconds =
    cap.resetsAtMs === null ? null : Math.ceil((cap.resetsAtMs - Date.now()) / MS);
  const isShared = cap.kind === 'team' || cap.kind === 'account';
  return {
    ...rendered,
    status: 429,
    shouldRetry: false,
    headers: [
      ...(waitSeconds === null
        ? []
        : ([['retry-after', String(Math.max(1, waitSeconds))]] as const)),
      [`${PREFIX}-status`, 'rejected'],
      ...resetHeaders(cap),
      [`${PREFIX}-overage-utilization`, '1'],
      [`${PREFIX}-overage-surpassed-threshold`, '1'],
      [`${PREFIX}-overage-period`, PERIODS[cap.period]],
      ...(isShared ? ([[`${PREFIX}-overage-scope`, 'group_pool']] as const) : []),
      [`${PREFIX}-overage-disabled-reason`, 'org_spend_cap_reached'],
    ],
  };
}

function cents(nanoUsd: number): number {
  return Math.round(nanoUsd / NANO_USD_PER_CENT);
}

function wholePercent(cap: SpendCap): number {
  return Math.floor(usedPart(cap) * PERCENT);
}

function severity(cap: SpendCap): 'normal' | 'warning' | 'critical' {
  const [critical = 1, warning = 1] = THRESHOLDS;
  const used = usedPart(cap);
  if (used >= critical) return 'critical';
  return used >= warning ? 'warning' : 'normal';
}

/** The reset to the second, as the headers have it: the client compares both. */
function resetsAt({ resetsAtMs }: SpendCap): string | null {
  return resetsAtMs === null ? null : new Date(Math.ceil(resetsAtMs / MS) * MS).toISOString();
}

function renderSpend({ caps, dayNanoUsd, weekNanoUsd, monthNanoUsd }: KeySpend): object {
  const [tightest] = caps;
  if (tightest === undefined) {
    const unlimited = (spent: number): object => ({
      limit: null,
      used_credits: cents(spent),
      utilization: null,
    });
    return {
      extra_usage: {
        is_enabled: true,
        monthly_limit: null,
        used_credits: cents(monthNanoUsd),
        utilization: null,
        currency: 'USD',
        daily: unlimited(dayNanoUsd),
        weekly: unlimited(weekNanoUsd),
      },
      limits: [],
    };
  }
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: cents(tightest.limitNanoUsd),
      used_credits: cents(tightest.spentNanoUsd),
      utilization: wholePercent(tightest),
      currency: 'USD',
    },
    limits: caps.map((cap) => ({
      kind: 'spend',
      group: PERIODS[cap.period],
      percent: wholePercent(cap),
      resets_at: resetsAt(cap),
      severity: severity(cap),
      is_active: cap === tightest,
    })),
  };
}
