import {
  ALERT_REQUESTS_MIN,
  ALERT_WINDOW_MINUTES,
  FIRST_TOKEN_WINDOW_MINUTES,
  REGISTRATION_WINDOW_MINUTES,
  type AlertKind,
  type AlertRuleUpdate,
  type AlertTerms,
} from '@weir/shared/watch/alerts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/** Rules of former versions have fewer terms. */
export const NO_TERMS: AlertTerms = {
  channelId: null,
  accountId: null,
  job: null,
  percent: null,
  windowMinutes: null,
  requestsMin: null,
  registrationsMin: null,
  belowUsd: null,
  lagSeconds: null,
  firstTokenMs: null,
  timesUsual: null,
  overUsd: null,
};

type Term = keyof AlertTerms;

/** The terms that each kind of rule may have, and those that it must have. */
const TERMS_OF: Readonly<
  Record<AlertKind, { readonly may: readonly Term[]; readonly must: readonly Term[] }>
> = {
  channel_failing: { may: ['channelId'], must: [] },
  error_rate: { may: ['channelId', 'windowMinutes', 'requestsMin'], must: ['percent'] },
  customer_balance: { may: ['accountId'], must: ['belowUsd'] },
  upstream_balance: { may: ['channelId'], must: ['belowUsd'] },
  drain_lag: { may: [], must: ['lagSeconds'] },
  job_not_run: { may: ['job'], must: [] },
  registration_wave: { may: ['windowMinutes'], must: ['registrationsMin'] },
  first_token_slow: { may: ['channelId', 'windowMinutes', 'requestsMin'], must: ['firstTokenMs'] },
  spend_anomaly: { may: ['overUsd'], must: ['timesUsual'] },
  store_problem: { may: [], must: [] },
  refund_waiting: { may: [], must: [] },
};

const DEFAULTS: Partial<Record<AlertKind, Partial<AlertTerms>>> = {
  error_rate: { windowMinutes: ALERT_WINDOW_MINUTES, requestsMin: ALERT_REQUESTS_MIN },
  registration_wave: { windowMinutes: REGISTRATION_WINDOW_MINUTES },
  first_token_slow: {
    windowMinutes: FIRST_TOKEN_WINDOW_MINUTES,
    requestsMin: ALERT_REQUESTS_MIN,
  },
};

/** The terms of a new rule: those given, then those that its kind has by default. */
export function completeTerms(kind: AlertKind, given: Partial<AlertTerms>): AlertTerms {
  return { ...NO_TERMS, ...DEFAULTS[kind], ...given };
}

/** The terms that a body sets. */
export function sentTerms(body: AlertRuleUpdate): Partial<AlertTerms> {
  const names = Object.keys(NO_TERMS) as Term[];
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

export function refuseTerms(kind: AlertKind, terms: AlertTerms): Refusal | undefined {
  const { may, must } = TERMS_OF[kind];
  for (const param of Object.keys(NO_TERMS) as Term[]) {
    if (terms[param] === null) {
      if (must.includes(param)) {
        return refuse('missing_required_parameter', `A rule "${kind}" needs "${param}".`, {
          param,
        });
      }
    } else if (!may.includes(param) && !must.includes(param)) {
      return refuse('invalid_value', `A rule "${kind}" has no "${param}". Leave it out.`, {
        param,
      });
    }
  }
  return undefined;
}
