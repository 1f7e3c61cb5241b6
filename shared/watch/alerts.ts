import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Name,
  nullable,
  partial,
  TEXT_KIND,
  UsdAmount,
} from '../api/wire-values.ts';
import { listOf, PAGE_QUERY, pageOf } from '../api/pages.ts';
import { LANGUAGES } from '../people/users.ts';

/** The conditions that a rule can watch. */
export const ALERT_KINDS = [
  'channel_failing',
  'error_rate',
  'customer_balance',
  'upstream_balance',
  'drain_lag',
  'job_not_run',
  'registration_wave',
  'first_token_slow',
  'spend_anomaly',
  'store_problem',
  'refund_waiting',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Chat services, each with a webhook of its own form. */
export const CHAT_KINDS = ['slack', 'discord', 'telegram', 'feishu', 'dingtalk'] as const;
export type ChatKind = (typeof CHAT_KINDS)[number];
export const ALERT_TARGET_KINDS = ['mail', 'webhook', ...CHAT_KINDS] as const;
export type AlertTargetKind = (typeof ALERT_TARGET_KINDS)[number];
/** Chat services that check a signature under a secret of the bot. */
export const SIGNED_CHAT_KINDS: readonly AlertTargetKind[] = ['feishu', 'dingtalk'];
const ALERT_WINDOW_MINUTES_MAX = 60;

/** Requests of a window below which a rate says nothing. */
export const ALERT_REQUESTS_MIN = 20;
export const ALERT_WINDOW_MINUTES = 5;
export const REGISTRATION_WINDOW_MINUTES = 10;
export const FIRST_TOKEN_WINDOW_MINUTES = 15;
export const ALERT_RULES_MAX = 200;
export const ALERT_TARGETS_MAX = 50;

const ALERT_TERMS = {
  /**
   * For `channel_failing`, `error_rate`, `upstream_balance` and `first_token_slow`: one channel;
   * null: each channel, or all requests.
   */
  channelId: nullable(Id),
  /** For `customer_balance`: one account; null: each that was used in the last seven days. */
  accountId: nullable(Id),
  /** For `job_not_run`: the name of a job, as the overview lists it; null: each. */
  job: nullable(Type.String({ minLength: 1, maxLength: 100 })),
  /**
   * For `error_rate`: replies of 5xx among the replies, or failed attempts among those at the
   * channel.
   */
  percent: nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  /** For `error_rate`, `registration_wave` and `first_token_slow`. */
  windowMinutes: nullable(Type.Integer({ minimum: 1, maximum: ALERT_WINDOW_MINUTES_MAX })),
  /** For `error_rate` and `first_token_slow`: no alert with fewer requests in the window. */
  requestsMin: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** For `registration_wave`: the accounts that must register within the window. */
  registrationsMin: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** For the balances. */
  belowUsd: nullable(UsdAmount),
  /** For `drain_lag`. */
  lagSeconds: nullable(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** For `first_token_slow`: 95 % of the requests should have their first token within this. */
  firstTokenMs: nullable(Type.Integer({ minimum: 1, maximum: 600_000 })),
  /** For `spend_anomaly`: how many times the hourly mean of the last seven days. */
  timesUsual: nullable(Type.Integer({ minimum: 2, maximum: 1_000 })),
  /** For `spend_anomaly`: no alert for an hour that cost less. */
  overUsd: nullable(UsdAmount),
};

/** The thresholds of a rule. Fields of other kinds of rules are null. */
export const AlertTerms = closed(ALERT_TERMS);
export type AlertTerms = Static<typeof AlertTerms>;

const MINUTES_MAX = 10_080;

const ALERT_RULE_SETTINGS = {
  name: Name,
  /** The time for which it must be true before it is reported. */
  forMinutes: Type.Integer({ minimum: 0, maximum: MINUTES_MAX }),
  /** The least time between two messages that the same thing began. */
  cooldownMinutes: Type.Integer({ minimum: 0, maximum: MINUTES_MAX }),
  /** The targets that are notified; empty: every target. */
  targetIds: Type.Array(Id, { maxItems: ALERT_TARGETS_MAX }),
  status: choice(['active', 'disabled']),
  ...ALERT_TERMS,
};

export const AlertRuleCreate = closed({
  kind: choice(ALERT_KINDS),
  ...partial(closed(ALERT_RULE_SETTINGS)).properties,
  name: Name,
});
export type AlertRuleCreate = Static<typeof AlertRuleCreate>;

export const AlertRuleUpdate = partial(closed(ALERT_RULE_SETTINGS), {
  additionalProperties: false,
});
export type AlertRuleUpdate = Static<typeof AlertRuleUpdate>;

/** Something that a rule is true of now. */
export const AlertFiring = closed({
  subject: Type.String(),
  name: Type.String(),
  since: Instant,
  /** A message was sent. Not before `forMinutes` are over, nor within the cooldown. */
  told: Type.Boolean(),
});
export type AlertFiring = Static<typeof AlertFiring>;

export const AlertRuleView = closed({
  id: Id,
  kind: choice(ALERT_KINDS),
  ...ALERT_RULE_SETTINGS,
  firing: Type.Array(AlertFiring),
  createdAt: Instant,
  updatedAt: Instant,
});
export type AlertRuleView = Static<typeof AlertRuleView>;
export const AlertRuleList = closed({
  data: Type.Array(AlertRuleView),
  /** The conditions that rules can watch in this installation. */
  kinds: Type.Array(choice(ALERT_KINDS)),
  /** Ready-made rules that are not among them. */
  readyMissing: Count,
});
export type AlertRuleList = Static<typeof AlertRuleList>;

/** Adds the ready-made rules, with names in a language. Those that are there stay as they are. */
export const ReadyAlertsCreate = closed({ language: choice(LANGUAGES) });
export type ReadyAlertsCreate = Static<typeof ReadyAlertsCreate>;

/** The id of a chat, or the name of a public channel. */
export const TelegramChat = Type.String({ pattern: '^(-?\\d{1,20}|@[A-Za-z0-9_]{4,64})$' });

const ALERT_TARGET_SETTINGS = {
  name: Name,
  /**
   * A mail address; the https address of a webhook; for `telegram` the token of the bot, or
   * `https://…/bot` and the token.
   */
  address: Type.String({
    minLength: 3,
    maxLength: 1000,
    pattern: '^\\S+$',
    writeOnly: true,
    [TEXT_KIND]: 'ascii',
  }),
  /** For `feishu` and `dingtalk`: the secret of the bot, if it checks signatures. */
  signingSecret: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^\\S+$',
    writeOnly: true,
    [TEXT_KIND]: 'ascii',
  }),
  /** For `telegram`; null for all others. */
  chatId: nullable(TelegramChat),
  /** The language of the messages. */
  language: choice(LANGUAGES),
  /** It may be at a private, loopback or link-local address. */
  allowPrivate: Type.Boolean(),
  status: choice(['active', 'disabled']),
};

export const AlertTargetCreate = closed({
  kind: choice(ALERT_TARGET_KINDS),
  ...partial(closed(ALERT_TARGET_SETTINGS)).properties,
  name: ALERT_TARGET_SETTINGS.name,
  address: ALERT_TARGET_SETTINGS.address,
});
export type AlertTargetCreate = Static<typeof AlertTargetCreate>;

export const AlertTargetUpdate = partial(closed(ALERT_TARGET_SETTINGS), {
  additionalProperties: false,
});
export type AlertTargetUpdate = Static<typeof AlertTargetUpdate>;

const { signingSecret: _secret, ...SHOWN_TARGET_SETTINGS } = ALERT_TARGET_SETTINGS;

export const AlertTargetView = closed({
  id: Id,
  kind: choice(ALERT_TARGET_KINDS),
  ...SHOWN_TARGET_SETTINGS,
  /** The mail address; of all others only the origin, as what follows is a secret. */
  address: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type AlertTargetView = Static<typeof AlertTargetView>;
export const AlertTargetList = listOf(AlertTargetView);
export type AlertTargetList = Static<typeof AlertTargetList>;

/**
 * A target that was made, or got a new secret. `secret` signs its webhooks, is shown this once, and
 * null for mail.
 */
export const AlertTargetCreated = closed({
  ...AlertTargetView.properties,
  secret: nullable(Type.String()),
});
export type AlertTargetCreated = Static<typeof AlertTargetCreated>;

/** The result of a test message. */
export const AlertTestView = closed({
  delivered: Type.Boolean(),
  /** The error; null if it was delivered. */
  error: nullable(Type.String()),
});
export type AlertTestView = Static<typeof AlertTestView>;

export const AlertDeliveryView = closed({
  via: choice(ALERT_TARGET_KINDS),
  address: Type.String(),
  status: choice(['pending', 'sent', 'failed']),
  attempts: Count,
  error: nullable(Type.String()),
  sentAt: nullable(Instant),
});

export const ALERT_EVENT_KINDS = ['fired', 'resolved', 'test'] as const;

export const AlertEventView = closed({
  id: Id,
  at: Instant,
  /** Null once the rule is deleted, and for tests. */
  ruleId: nullable(Id),
  ruleName: Type.String(),
  /** Null once the rule is deleted, and for tests. */
  ruleKind: nullable(choice(ALERT_KINDS)),
  kind: choice(ALERT_EVENT_KINDS),
  /** `value` is what was measured, such as "12 %" or "$3.20". */
  subjects: Type.Array(closed({ id: Type.String(), name: Type.String(), value: Type.String() })),
  deliveries: Type.Array(AlertDeliveryView),
});
export type AlertEventView = Static<typeof AlertEventView>;

export const AlertEventListQuery = closed({ ...PAGE_QUERY, ruleId: Type.Optional(Id) });
export type AlertEventListQuery = Static<typeof AlertEventListQuery>;
export const AlertEventPage = pageOf(AlertEventView);
export type AlertEventPage = Static<typeof AlertEventPage>;

// Headers of a webhook: docs/operations.md describes how to verify it.

/** Unix time in seconds, part of what is signed. */
export const WEBHOOK_TIMESTAMP_HEADER = 'weir-timestamp';
/** `v1=` and the HMAC-SHA256 of `{timestamp}.{body}` under the target's secret, in hexadecimal. */
export const WEBHOOK_SIGNATURE_HEADER = 'weir-signature';
/** The same for every attempt at one message. */
export const WEBHOOK_ID_HEADER = 'weir-delivery';

/** The schemas of this file by their names in the API. */
export const ALERT_SCHEMAS = {
  AlertRuleCreate,
  AlertRuleUpdate,
  AlertFiring,
  AlertRuleView,
  AlertRuleList,
  AlertTargetCreate,
  AlertTargetUpdate,
  AlertTargetView,
  AlertTargetList,
  AlertTargetCreated,
  AlertTestView,
  ReadyAlertsCreate,
  AlertDeliveryView,
  AlertEventView,
  AlertEventListQuery,
  AlertEventPage,
} as const;
