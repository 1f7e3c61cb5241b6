import type { AbstractControl, ValidationErrors, ValidatorFn } from '@angular/forms';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/schema';

/** A violation of a schema by a value. */
export interface Fault {
  readonly keyword: string;
  /** The limit of a length, size or range. */
  readonly limit: number | undefined;
  /** The pattern or format that was not met. */
  readonly form: string | undefined;
  /** The index of the entry in a list, from 0. */
  readonly index: number | undefined;
}

/**
 * The value of a field's text. `blank` is an empty field; the field decides whether that is
 * allowed.
 */
export type Reading = { readonly blank: true } | { readonly value: unknown };

export const BLANK: Reading = { blank: true };

/** Converts the text of a control into the value that the API takes. */
export type Reader<Shown> = (shown: Shown) => Reading;

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function indexIn(path: string): number | undefined {
  const last = path.split('/').at(-1) ?? '';
  return /^\d+$/.test(last) ? Number(last) : undefined;
}

/**
 * The first rule of the API's schema that a value breaks. The form and the server check the same
 * schema.
 */
function faultIn(schema: TSchema, value: unknown): Fault | undefined {
  const [, all] = Errors(schema, value);
  const errors = all.filter(({ keyword, params }) => {
    // A nullable schema also complains that the value is not null; that helps nobody.
    const wantsNull = keyword === 'type' && 'type' in params && params.type === 'null';
    return keyword !== 'anyOf' && !wantsNull;
  });
  const [first] = errors;
  if (first === undefined) return undefined;
  const params: Readonly<Record<string, unknown>> = { ...first.params };
  return {
    keyword: first.keyword,
    limit: number(params['limit']),
    form: text(params['pattern']) ?? text(params['format']) ?? text(params['type']),
    index: indexIn(first.instancePath),
  };
}

export interface Ruling<Shown> {
  readonly schema: TSchema;
  readonly read: Reader<Shown>;
  /** Nothing is not enough. */
  readonly required: boolean;
}

/**
 * A validator that asks the API's own schema. The error is under `fault`; `required` is separate.
 */
export function ruled<Shown>({ schema, read, required }: Ruling<Shown>): ValidatorFn {
  return (control: AbstractControl<Shown>): ValidationErrors | null => {
    const reading = read(control.value);
    if ('blank' in reading) return required ? { required: true } : null;
    const fault = faultIn(schema, reading.value);
    return fault === undefined ? null : { fault };
  };
}
