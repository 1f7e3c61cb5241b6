import { FormGroup } from '@angular/forms';
import {
  ALERT_KINDS,
  ALERT_REQUESTS_MIN,
  ALERT_WINDOW_MINUTES,
  FIRST_TOKEN_WINDOW_MINUTES,
  SIGNED_CHAT_KINDS,
  AlertRuleCreate,
  AlertTargetCreate,
  type AlertKind,
  type AlertRuleUpdate,
  type AlertRuleView,
  type AlertTargetKind,
  type AlertTargetUpdate,
  type AlertTargetView,
} from '@weir/shared/watch/alerts';
import {
  amount,
  amountOrNull,
  chosen,
  wordsOf,
  flag,
  option,
  several,
  whole,
  wholeOf,
  wholeOrNull,
  words,
} from '../../core/forms/controls';
import type { Language } from '../../core/i18n/i18n';

type Status = AlertRuleView['status'];
type Term = 'channelId' | 'accountId' | 'job' | 'percent' | 'windowMinutes' | 'requestsMin';
type Limit = 'belowUsd' | 'lagSeconds' | 'registrationsMin' | 'firstTokenMs' | 'timesUsual';
type TermField = Term | Limit | 'overUsd';

/** The terms of each kind of rule. */
export const TERMS_ASKED: Readonly<Record<AlertKind, readonly TermField[]>> = {
  channel_failing: ['channelId'],
  error_rate: ['percent', 'windowMinutes', 'requestsMin', 'channelId'],
  customer_balance: ['belowUsd', 'accountId'],
  upstream_balance: ['belowUsd', 'channelId'],
  drain_lag: ['lagSeconds'],
  job_not_run: ['job'],
  registration_wave: ['registrationsMin', 'windowMinutes'],
  first_token_slow: ['firstTokenMs', 'windowMinutes', 'requestsMin', 'channelId'],
  spend_anomaly: ['timesUsual', 'overUsd'],
  store_problem: [],
  refund_waiting: [],
};

const TERM_FIELDS: readonly TermField[] = [
  ...new Set(ALERT_KINDS.flatMap((kind) => TERMS_ASKED[kind])),
];

const COOLDOWN_MINUTES = 60;
const REGISTRATIONS_MIN = 20;
const FIRST_TOKEN_MS = 10_000;
const TIMES_USUAL = 5;

const textOf = (value: number | null | undefined, preset = ''): string =>
  value === null || value === undefined ? preset : String(value);

/**
 * A rule. Fields of other kinds are not shown, so nothing wrong in them may keep it from being
 * saved.
 */
export class AlertRuleForm {
  readonly controls;
  readonly group;

  constructor(rule?: AlertRuleView, kind: AlertKind = rule?.kind ?? 'channel_failing') {
    const { properties } = AlertRuleCreate;
    this.controls = {
      name: words(properties.name, { initial: rule?.name ?? '', required: true }),
      kind: option<AlertKind>(kind),
      channelId: chosen(properties.channelId, { initial: rule?.channelId ?? '' }),
      /** One customer, or each; an account that is typed and not chosen must not mean each. */
      whose: option<'each' | 'one'>(rule?.accountId == null ? 'each' : 'one'),
      accountId: chosen(properties.accountId, { initial: rule?.accountId ?? '', required: true }),
      job: chosen(properties.job, { initial: rule?.job ?? '' }),
      percent: whole(properties.percent, { initial: textOf(rule?.percent, '10'), required: true }),
      windowMinutes: whole(properties.windowMinutes, {
        initial: textOf(
          rule?.windowMinutes,
          String(kind === 'first_token_slow' ? FIRST_TOKEN_WINDOW_MINUTES : ALERT_WINDOW_MINUTES),
        ),
        required: true,
      }),
      requestsMin: whole(properties.requestsMin, {
        initial: textOf(rule?.requestsMin, String(ALERT_REQUESTS_MIN)),
        required: true,
      }),
      registrationsMin: whole(properties.registrationsMin, {
        initial: textOf(rule?.registrationsMin, String(REGISTRATIONS_MIN)),
        required: true,
      }),
      belowUsd: amount(properties.belowUsd, { initial: rule?.belowUsd ?? '', required: true }),
      lagSeconds: whole(properties.lagSeconds, {
        initial: textOf(rule?.lagSeconds, '60'),
        required: true,
      }),
      firstTokenMs: whole(properties.firstTokenMs, {
        initial: textOf(rule?.firstTokenMs, String(FIRST_TOKEN_MS)),
        required: true,
      }),
      timesUsual: whole(properties.timesUsual, {
        initial: textOf(rule?.timesUsual, String(TIMES_USUAL)),
        required: true,
      }),
      overUsd: amount(properties.overUsd, { initial: rule?.overUsd ?? '' }),
      forMinutes: whole(properties.forMinutes, {
        initial: textOf(rule?.forMinutes, '0'),
        required: true,
      }),
      cooldownMinutes: whole(properties.cooldownMinutes, {
        initial: textOf(rule?.cooldownMinutes, String(COOLDOWN_MINUTES)),
        required: true,
      }),
      targetIds: several(properties.targetIds, rule?.targetIds ?? []),
      status: option<Status>(rule?.status ?? 'active'),
    };
    this.group = new FormGroup(this.controls);
    this.#askFor();
    this.controls.kind.valueChanges.subscribe(() => this.#askFor());
    this.controls.whose.valueChanges.subscribe(() => this.#askFor());
  }

  asks(field: TermField): boolean {
    return TERMS_ASKED[this.controls.kind.value].includes(field);
  }

  #askFor(): void {
    for (const field of TERM_FIELDS) {
      const isAsked =
        this.asks(field) && (field !== 'accountId' || this.controls.whose.value === 'one');
      if (isAsked) this.controls[field].enable({ emitEvent: false });
      else this.controls[field].disable({ emitEvent: false });
    }
  }

  #terms(): Pick<AlertRuleUpdate, TermField> {
    const { controls } = this;
    const all = {
      channelId: wordsOf(controls.channelId) || null,
      accountId: controls.whose.value === 'one' ? wordsOf(controls.accountId) : null,
      job: wordsOf(controls.job) || null,
      percent: wholeOrNull(controls.percent),
      windowMinutes: wholeOrNull(controls.windowMinutes),
      requestsMin: wholeOrNull(controls.requestsMin),
      registrationsMin: wholeOrNull(controls.registrationsMin),
      belowUsd: amountOrNull(controls.belowUsd),
      lagSeconds: wholeOrNull(controls.lagSeconds),
      firstTokenMs: wholeOrNull(controls.firstTokenMs),
      timesUsual: wholeOrNull(controls.timesUsual),
      overUsd: amountOrNull(controls.overUsd),
    };
    return Object.fromEntries(
      TERM_FIELDS.filter((field) => this.asks(field)).map((field) => [field, all[field]]),
    );
  }

  update(): AlertRuleUpdate {
    const { controls } = this;
    return {
      name: wordsOf(controls.name),
      ...this.#terms(),
      forMinutes: wholeOf(controls.forMinutes),
      cooldownMinutes: wholeOf(controls.cooldownMinutes),
      targetIds: [...controls.targetIds.value],
      status: controls.status.value,
    };
  }

  body(): AlertRuleCreate {
    const name = wordsOf(this.controls.name);
    return { ...this.update(), name, kind: this.controls.kind.value };
  }
}

/**
 * A mail address, a webhook or a chat. Of all but mail only the beginning of the address is known
 * once it was made.
 */
export class AlertTargetForm {
  readonly controls;
  readonly group;

  /** A new one is written to in `language`. */
  constructor(
    target?: AlertTargetView,
    language: Language = 'en',
    kind: AlertTargetKind = target?.kind ?? 'mail',
  ) {
    const { properties } = AlertTargetCreate;
    const isKnown = target?.kind === 'mail';
    this.controls = {
      name: words(properties.name, { initial: target?.name ?? '', required: true }),
      kind: option<AlertTargetKind>(kind),
      address: words(properties.address, {
        initial: isKnown ? target.address : '',
        required: target === undefined || isKnown,
      }),
      signingSecret: words(properties.signingSecret, { initial: '' }),
      chatId: words(properties.chatId, { initial: target?.chatId ?? '', required: true }),
      language: option<Language>(target?.language ?? language),
      allowPrivate: flag(target?.allowPrivate ?? false),
      status: option<Status>(target?.status ?? 'active'),
    };
    this.group = new FormGroup(this.controls);
    this.#askFor();
    this.controls.kind.valueChanges.subscribe(() => this.#askFor());
  }

  /** Fields of other kinds must not keep it from being saved. */
  #askFor(): void {
    const { kind, chatId, signingSecret } = this.controls;
    const set = (control: typeof chatId, isAsked: boolean): void => {
      if (isAsked) control.enable({ emitEvent: false });
      else control.disable({ emitEvent: false });
    };
    set(chatId, kind.value === 'telegram');
    set(signingSecret, SIGNED_CHAT_KINDS.includes(kind.value));
  }

  update(): AlertTargetUpdate {
    const { controls } = this;
    const address = wordsOf(controls.address);
    const signingSecret = wordsOf(controls.signingSecret);
    const isSigned = SIGNED_CHAT_KINDS.includes(controls.kind.value);
    return {
      name: wordsOf(controls.name),
      language: controls.language.value,
      status: controls.status.value,
      ...(address === '' ? {} : { address }),
      ...(controls.kind.value === 'mail' ? {} : { allowPrivate: controls.allowPrivate.value }),
      ...(controls.kind.value === 'telegram' ? { chatId: wordsOf(controls.chatId) } : {}),
      ...(isSigned && signingSecret !== '' ? { signingSecret } : {}),
    };
  }

  body(): AlertTargetCreate {
    const { name, address, kind } = this.controls;
    return {
      ...this.update(),
      kind: kind.value,
      name: wordsOf(name),
      address: wordsOf(address),
    };
  }
}
