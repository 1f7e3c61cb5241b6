import { computed, signal, type Signal } from '@angular/core';
import type { Language } from '../i18n/i18n';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Beyond this an age is shown as a date. */
const RELATIVE_MS_MAX = 7 * DAY_MS;
/** Interval in which texts such as "3 minutes ago" are refreshed. */
export const CLOCK_TICK_MS = 30_000;

/** Amounts below one cent keep this many digits that say something. */
const SMALL_DIGITS = 2;
const CENTS = 2;
const NANO_DECIMALS = 9;

function fractionDigits(usd: string): number {
  const [whole = '0', fraction = ''] = usd.replace('-', '').split('.');
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const small = Number(whole) === 0 && fraction !== '' && zeros >= CENTS;
  return small ? Math.min(NANO_DECIMALS, zeros + SMALL_DIGITS) : CENTS;
}

/**
 * `NumberFormat` formats decimal strings exactly; TypeScript must know that one is numeric.
 */
function numeric(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral;
}

/** Money, numbers and times as the reader writes them. Every method reads the language's signal. */
export class Formatter {
  readonly #language: Signal<Language>;
  readonly #now = signal(Date.now());
  readonly #formats = computed(() => new Formats(this.#language()));
  /**
   * The day in UTC, `2026-01-31`, as the API counts days. A page that stays open sees the next one
   * come.
   */
  readonly today = computed(() => new Date(this.#now()).toISOString().slice(0, 10));

  constructor(language: Signal<Language>) {
    this.#language = language;
  }

  /** Called by a timer of the application. */
  tick(nowMs: number = Date.now()): void {
    this.#now.set(nowMs);
  }

  /** A decimal string in USD: cents from one cent on, enough digits to say something below. */
  usd(amount: string): string {
    return this.#formats().usd(fractionDigits(amount)).format(numeric(amount));
  }

  /** Every digit of an amount. */
  exactUsd(amount: string): string {
    const decimals = amount.split('.')[1]?.length ?? 0;
    return this.#formats().usd(Math.max(CENTS, decimals)).format(numeric(amount));
  }

  /** A step of an axis: all steps of one axis have as many decimals. */
  axisUsd(amount: number, decimals: number): string {
    return this.#formats().axisUsd(Math.max(CENTS, decimals)).format(amount);
  }

  /** A price per 1,000,000 tokens: at least cents, never rounded. */
  price(amount: string): string {
    return this.exactUsd(amount);
  }

  number(value: number): string {
    return this.#formats().number.format(value);
  }

  /** 12,345 as 12.3K. */
  compact(value: number): string {
    return this.#formats().compact.format(value);
  }

  percent(share: number): string {
    return this.#formats().percent.format(share);
  }

  /** 850 ms, 1.2 s. */
  duration(ms: number): string {
    const { milliseconds, seconds } = this.#formats();
    return ms < 1_000 ? milliseconds.format(Math.round(ms)) : seconds.format(ms / 1_000);
  }

  /** Formats a duration: 45 min, 3 hr, 12 days. */
  span(ms: number): string {
    const formats = this.#formats();
    if (ms < HOUR_MS) return formats.span('minute').format(Math.floor(ms / MINUTE_MS));
    if (ms < DAY_MS) return formats.span('hour').format(Math.floor(ms / HOUR_MS));
    return formats.span('day').format(Math.floor(ms / DAY_MS));
  }

  /** Formats an instant: relative while it is near, as a date otherwise. */
  when(instant: string): string {
    const ms = Date.parse(instant) - this.#now();
    if (Math.abs(ms) > RELATIVE_MS_MAX) return this.day(instant);
    const { relative } = this.#formats();
    if (Math.abs(ms) < MINUTE_MS) return relative.format(0, 'second');
    if (Math.abs(ms) < HOUR_MS) return relative.format(Math.trunc(ms / MINUTE_MS), 'minute');
    if (Math.abs(ms) < DAY_MS) return relative.format(Math.trunc(ms / HOUR_MS), 'hour');
    return relative.format(Math.trunc(ms / DAY_MS), 'day');
  }

  /** Date and time in the reader's zone. */
  moment(instant: string): string {
    return this.#formats().moment.format(new Date(instant));
  }

  /** To the second, in the reader's zone. */
  second(instant: string): string {
    return this.#formats().second.format(new Date(instant));
  }

  /** Without the year, to the second: for lists that begin now and do not go far back. */
  recentMoment(instant: string): string {
    return this.#formats().recentMoment.format(new Date(instant));
  }

  /** To the second, with the zone's name. */
  exactMoment(instant: string): string {
    return this.#formats().exactMoment.format(new Date(instant));
  }

  /** To the second: the time alone today, with its day before. */
  clock(instant: string): string {
    const { time, recentTime } = this.#formats();
    const at = new Date(instant);
    const isToday = at.toDateString() === new Date(this.#now()).toDateString();
    return (isToday ? time : recentTime).format(at);
  }

  day(instant: string): string {
    return this.#formats().day.format(new Date(instant));
  }

  /** A day of the API, which is a day in UTC: never shifted into the reader's zone. */
  utcDay(day: string, withYear = false): string {
    const { utcDay, utcDayOfYear } = this.#formats();
    return (withYear ? utcDayOfYear : utcDay).format(new Date(`${day}T00:00:00Z`));
  }

  /** A month of the API, `2026-01`. */
  utcMonth(month: string): string {
    return this.#formats().utcMonth.format(new Date(`${month}-01T00:00:00Z`));
  }
}

/** The `Intl` objects of one language; making them is what costs. */
class Formats {
  readonly #language: Language;
  readonly #usd = new Map<number, Intl.NumberFormat>();
  readonly #axisUsd = new Map<number, Intl.NumberFormat>();
  readonly number: Intl.NumberFormat;
  readonly compact: Intl.NumberFormat;
  readonly percent: Intl.NumberFormat;
  readonly milliseconds: Intl.NumberFormat;
  readonly seconds: Intl.NumberFormat;
  readonly relative: Intl.RelativeTimeFormat;
  readonly moment: Intl.DateTimeFormat;
  readonly recentMoment: Intl.DateTimeFormat;
  readonly second: Intl.DateTimeFormat;
  readonly exactMoment: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
  readonly recentTime: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly utcDay: Intl.DateTimeFormat;
  readonly utcDayOfYear: Intl.DateTimeFormat;
  readonly utcMonth: Intl.DateTimeFormat;

  constructor(language: Language) {
    this.#language = language;
    this.number = new Intl.NumberFormat(language);
    this.compact = new Intl.NumberFormat(language, {
      notation: 'compact',
      maximumFractionDigits: 1,
    });
    this.percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    // Both narrow: a column of durations has one form, 850ms next to 1.23s.
    const narrow = { style: 'unit', unitDisplay: 'narrow' } as const;
    this.milliseconds = new Intl.NumberFormat(language, { ...narrow, unit: 'millisecond' });
    this.seconds = new Intl.NumberFormat(language, {
      ...narrow,
      unit: 'second',
      maximumFractionDigits: 2,
    });
    this.relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
    this.moment = new Intl.DateTimeFormat(language, {
      ...date,
      hour: '2-digit',
      minute: '2-digit',
    });
    const toTheSecond = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    this.second = new Intl.DateTimeFormat(language, { ...date, ...toTheSecond });
    this.recentMoment = new Intl.DateTimeFormat(language, {
      month: 'short',
      day: 'numeric',
      ...toTheSecond,
    });
    this.exactMoment = new Intl.DateTimeFormat(language, {
      ...date,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
    const time = {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    } as const;
    this.time = new Intl.DateTimeFormat(language, time);
    this.recentTime = new Intl.DateTimeFormat(language, {
      month: 'short',
      day: 'numeric',
      ...time,
    });
    this.day = new Intl.DateTimeFormat(language, date);
    this.utcDayOfYear = new Intl.DateTimeFormat(language, { ...date, timeZone: 'UTC' });
    this.utcDay = new Intl.DateTimeFormat(language, {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    this.utcMonth = new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    });
  }

  span(unit: 'minute' | 'hour' | 'day'): Intl.NumberFormat {
    return new Intl.NumberFormat(this.#language, { style: 'unit', unit, unitDisplay: 'short' });
  }

  axisUsd(decimals: number): Intl.NumberFormat {
    const known = this.#axisUsd.get(decimals);
    if (known !== undefined) return known;
    const made = new Intl.NumberFormat(this.#language, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    this.#axisUsd.set(decimals, made);
    return made;
  }

  usd(decimals: number): Intl.NumberFormat {
    const known = this.#usd.get(decimals);
    if (known !== undefined) return known;
    const made = new Intl.NumberFormat(this.#language, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: Math.min(decimals, CENTS),
      maximumFractionDigits: decimals,
    });
    this.#usd.set(decimals, made);
    return made;
  }
}
