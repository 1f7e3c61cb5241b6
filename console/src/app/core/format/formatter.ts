import { computed, signal, type Signal } from '@angular/core';
import type { Language } from '../i18n/i18n';
import { lazily } from './lazily';

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
    return this.#formats().number().format(value);
  }

  /** 12,345 as 12.3K. */
  compact(value: number): string {
    return this.#formats().compact().format(value);
  }

  percent(share: number): string {
    return this.#formats().percent().format(share);
  }

  /** 850 ms, 1.2 s. */
  duration(ms: number): string {
    const { milliseconds, seconds } = this.#formats();
    return ms < 1_000 ? milliseconds().format(Math.round(ms)) : seconds().format(ms / 1_000);
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
    const relative = this.#formats().relative();
    if (Math.abs(ms) < MINUTE_MS) return relative.format(0, 'second');
    if (Math.abs(ms) < HOUR_MS) return relative.format(Math.trunc(ms / MINUTE_MS), 'minute');
    if (Math.abs(ms) < DAY_MS) return relative.format(Math.trunc(ms / HOUR_MS), 'hour');
    return relative.format(Math.trunc(ms / DAY_MS), 'day');
  }

  /** Date and time in the reader's zone. */
  moment(instant: string): string {
    return this.#formats().moment().format(new Date(instant));
  }

  /** To the second, in the reader's zone. */
  second(instant: string): string {
    return this.#formats().second().format(new Date(instant));
  }

  /** Without the year, to the second: for lists that begin now and do not go far back. */
  recentMoment(instant: string): string {
    return this.#formats().recentMoment().format(new Date(instant));
  }

  /** To the second, with the zone's name. */
  exactMoment(instant: string): string {
    return this.#formats().exactMoment().format(new Date(instant));
  }

  /** To the second: the time alone today, with its day before. */
  clock(instant: string): string {
    const { time, recentTime } = this.#formats();
    const at = new Date(instant);
    const isToday = at.toDateString() === new Date(this.#now()).toDateString();
    return (isToday ? time() : recentTime()).format(at);
  }

  day(instant: string): string {
    return this.#formats().day().format(new Date(instant));
  }

  /** A day of the API, which is a day in UTC: never shifted into the reader's zone. */
  utcDay(day: string, withYear = false): string {
    const { utcDay, utcDayOfYear } = this.#formats();
    return (withYear ? utcDayOfYear() : utcDay()).format(new Date(`${day}T00:00:00Z`));
  }

  /** A month of the API, `2026-01`. */
  utcMonth(month: string): string {
    return this.#formats()
      .utcMonth()
      .format(new Date(`${month}-01T00:00:00Z`));
  }
}

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const SHORT_DATE = { month: 'short', day: 'numeric' } as const;
const TO_THE_MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const TO_THE_SECOND = { ...TO_THE_MINUTE, second: '2-digit' } as const;
const CLOCK = { ...TO_THE_SECOND, hourCycle: 'h23' } as const;
/** Narrow, so that a column of durations has one form: 850ms next to 1.23s. */
const NARROW = { style: 'unit', unitDisplay: 'narrow' } as const;
const PERCENT = { style: 'percent', maximumFractionDigits: 1 } as const;
const COMPACT = { notation: 'compact', maximumFractionDigits: 1 } as const;

/** The `Intl` objects of one language, each made for its first use: making them is what costs. */
class Formats {
  readonly #language: Language;
  readonly #usd = new Map<number, Intl.NumberFormat>();
  readonly #axisUsd = new Map<number, Intl.NumberFormat>();
  readonly number = this.#numbers({});
  readonly compact = this.#numbers(COMPACT);
  readonly percent = this.#numbers(PERCENT);
  readonly milliseconds = this.#numbers({ ...NARROW, unit: 'millisecond' });
  readonly seconds = this.#numbers({ ...NARROW, unit: 'second', maximumFractionDigits: 2 });
  readonly relative = lazily(
    () => new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto' }),
  );
  readonly moment = this.#times({ ...DATE, ...TO_THE_MINUTE });
  readonly second = this.#times({ ...DATE, ...TO_THE_SECOND });
  readonly recentMoment = this.#times({ ...SHORT_DATE, ...TO_THE_SECOND });
  readonly exactMoment = this.#times({ ...DATE, ...TO_THE_SECOND, timeZoneName: 'short' });
  readonly time = this.#times(CLOCK);
  readonly recentTime = this.#times({ ...SHORT_DATE, ...CLOCK });
  readonly day = this.#times(DATE);
  readonly utcDayOfYear = this.#times({ ...DATE, timeZone: 'UTC' });
  readonly utcDay = this.#times({ ...SHORT_DATE, timeZone: 'UTC' });
  readonly utcMonth = this.#times({ year: 'numeric', month: 'long', timeZone: 'UTC' });

  constructor(language: Language) {
    this.#language = language;
  }

  #numbers(options: Intl.NumberFormatOptions): () => Intl.NumberFormat {
    return lazily(() => new Intl.NumberFormat(this.#language, options));
  }

  #times(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
    return lazily(() => new Intl.DateTimeFormat(this.#language, options));
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
