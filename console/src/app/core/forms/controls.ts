import { FormControl, type AbstractControl } from '@angular/forms';
import type { TSchema } from 'typebox';
import { BLANK, ruled, type Reader } from './rules';

/**
 * Controls hold the text in the field; these make the controls and read them back as what the API
 * takes. Every rule comes from the schema.
 */

interface Options {
  readonly initial?: string;
  readonly required?: boolean;
}

function textControl(schema: TSchema, read: Reader<string>, options: Options): FormControl<string> {
  return new FormControl(options.initial ?? '', {
    nonNullable: true,
    validators: [ruled({ schema, read, required: options.required ?? false })],
  });
}

const readWords: Reader<string> = (shown) =>
  shown.trim() === '' ? BLANK : { value: shown.trim() };

/** A name, an address, a code: outer white space means nothing. */
export function words(schema: TSchema, options: Options = {}): FormControl<string> {
  return textControl(schema, readWords, options);
}

export function wordsOf(control: FormControl<string>): string {
  return control.value.trim();
}

/** The API takes domains in ASCII; people type them as they read them. */
function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@');
  const host = `http://${email.slice(at + 1)}`;
  const isAscii = /^[!-~]*$/.test(host);
  if (at < 1 || isAscii || !URL.canParse(host)) return email;
  return `${email.slice(0, at)}@${new URL(host).hostname}`;
}

/** An e-mail address. */
export function mailbox(schema: TSchema, options: Options = {}): FormControl<string> {
  const read: Reader<string> = (shown) =>
    shown.trim() === '' ? BLANK : { value: withAsciiDomain(shown.trim()) };
  return textControl(schema, read, options);
}

export function mailboxOf(control: FormControl<string>): string {
  return withAsciiDomain(control.value.trim());
}

/** Left out of the request when the field is empty. */
export function wordsOrNothing(control: FormControl<string>): string | undefined {
  const value = control.value.trim();
  return value === '' ? undefined : value;
}

/** A password: every character counts, spaces too. */
export function secret(schema: TSchema): FormControl<string> {
  return textControl(schema, (shown) => (shown === '' ? BLANK : { value: shown }), {
    required: true,
  });
}

const WITH_MARKS = /^-?[1-9]\d{0,2}([,\s_]\d{3})+(\.\d+)?$/;

/**
 * `1,000` and `1 000` are meant as `1000`. A comma anywhere else precedes decimals in much of
 * the world: `12,50` keeps it and breaks the schema, so that it is asked about and never taken for
 * `1250`.
 */
function withoutMarks(shown: string): string {
  return WITH_MARKS.test(shown) ? shown.replace(/[,\s_]/g, '') : shown;
}

/** Converts a number; other text reaches the schema unchanged. */
function toNumber(shown: string): unknown {
  const plain = withoutMarks(shown);
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : shown;
}

const readNumber: Reader<string> = (shown) =>
  shown.trim() === '' ? BLANK : { value: toNumber(shown.trim()) };

export function whole(schema: TSchema, options: Options = {}): FormControl<string> {
  return textControl(schema, readNumber, options);
}

/** Only to be asked of a valid control. */
export function wholeOf(control: FormControl<string>): number {
  return Number(toNumber(control.value.trim()));
}

export function wholeOrNull(control: FormControl<string>): number | null {
  return control.value.trim() === '' ? null : wholeOf(control);
}

export function wholeOrNothing(control: FormControl<string>): number | undefined {
  return wholeOrNull(control) ?? undefined;
}

/** `$12.50` and `1,000` are what people write; the API takes `12.50` and `1000`. */
function toAmount(shown: string): string {
  return withoutMarks(shown.replace(/\s*\$\s*/g, '').trim());
}

/** A decimal: money or a multiplier. */
export function amount(schema: TSchema, options: Options = {}): FormControl<string> {
  const read: Reader<string> = (shown) =>
    toAmount(shown) === '' ? BLANK : { value: toAmount(shown) };
  return textControl(schema, read, options);
}

export function amountOf(control: FormControl<string>): string {
  return toAmount(control.value);
}

export function amountOrNull(control: FormControl<string>): string | null {
  const value = amountOf(control);
  return value === '' ? null : value;
}

export function amountOrNothing(control: FormControl<string>): string | undefined {
  return amountOrNull(control) ?? undefined;
}

/** A local date and time as `<input type="datetime-local">` has it. */
export function moment(schema: TSchema, options: Options = {}): FormControl<string> {
  const read: Reader<string> = (shown) => {
    if (shown === '') return BLANK;
    return { value: toInstant(shown) ?? shown };
  };
  return textControl(schema, read, options);
}

function toInstant(shown: string): string | undefined {
  const at = new Date(shown);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function momentOrNull(control: FormControl<string>): string | null {
  return toInstant(control.value) ?? null;
}

export function momentOrNothing(control: FormControl<string>): string | undefined {
  return toInstant(control.value);
}

/** An instant of the API as `<input type="datetime-local">` wants it, in the reader's zone. */
export function localMoment(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function toLines(shown: string): string[] {
  return shown
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A list, one entry a line. */
export function lines(schema: TSchema, options: Options = {}): FormControl<string> {
  const read: Reader<string> = (shown) => {
    const value = toLines(shown);
    return value.length === 0 ? BLANK : { value };
  };
  return textControl(schema, read, options);
}

export function linesOf(control: FormControl<string>): string[] {
  return toLines(control.value);
}

/** One of a few. `''` is nothing chosen yet. */
export function chosen(schema: TSchema, options: Options = {}): FormControl<string> {
  return textControl(schema, readWords, options);
}

/** Several of many. */
export function several(
  schema: TSchema,
  initial: readonly string[] = [],
  required = false,
): FormControl<readonly string[]> {
  const read: Reader<readonly string[]> = (shown) =>
    shown.length === 0 ? BLANK : { value: [...shown] };
  return new FormControl<readonly string[]>(initial, {
    nonNullable: true,
    validators: [ruled({ schema, read, required })],
  });
}

export function flag(initial = false): FormControl<boolean> {
  return new FormControl(initial, { nonNullable: true });
}

/**
 * Returns the touched members of an update's body. The others would be rewritten as the form shows
 * them: a time without its seconds, or a value that was allowed once and is refused now.
 */
export function onlyTouched<Body extends object>(
  body: Body,
  controls: Readonly<Record<keyof Body, AbstractControl>>,
): Partial<Body> {
  const touched = Object.entries(body).filter(([field]) => controls[field as keyof Body].dirty);
  return Object.fromEntries(touched) as Partial<Body>;
}

/** A fixed set of words as a typed control, for selects that always have a value. */
export function option<Value extends string>(initial: Value): FormControl<Value> {
  return new FormControl<Value>(initial, { nonNullable: true });
}
