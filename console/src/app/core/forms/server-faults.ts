import { FormArray, FormGroup, type AbstractControl } from '@angular/forms';
import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import type { FailureCode, FieldFault, Failure } from '../api/api-failure';
import type { I18n } from '../i18n/i18n';

/**
 * Codes that say nothing of what is wrong with a field: the server's own sentence says more in any
 * language.
 */
const GENERAL_CODES: readonly FailureCode[] = [
  'invalid_json',
  'invalid_type',
  'invalid_value',
  'missing_required_parameter',
  'unreachable',
  'unreadable_reply',
  'cut_off',
  'unknown',
];

/** Puts what the server said about single fields at those fields. */
export function showServerFaults(
  group: FormGroup,
  failure: Failure | undefined,
  i18n: Pick<I18n, 't' | 'language'>,
): void {
  for (const fault of failure?.fields ?? []) {
    const control = controlOf(group, fault);
    control?.setErrors({ server: wordsFor(fault, failure?.code ?? 'unknown', i18n) });
    control?.markAsTouched();
  }
}

/** The server writes English; other languages have words for each code. */
function wordsFor(
  { field, detail }: FieldFault,
  code: FailureCode,
  i18n: Pick<I18n, 't' | 'language'>,
): string {
  if (i18n.language() === 'en' || GENERAL_CODES.includes(code)) return detail;
  // Of someone who is logged in, the address is not in doubt.
  if (code === 'invalid_credentials' && field === 'currentPassword') {
    return i18n.t('rule.currentPassword');
  }
  return i18n.t(`problem.${code as ErrorCode}`);
}

/**
 * Returns the part of a failure to be shown above the buttons: its message, with the faults of
 * fields that the form does not have.
 */
export function withoutShownFaults(group: FormGroup, failure: Failure): Failure {
  const fields = failure.fields.filter((fault) => controlOf(group, fault) === null);
  return { ...failure, fields };
}

/** Reports whether all faults are shown at fields of the form. */
export function standsAtFields(group: FormGroup, failure: Failure): boolean {
  const { fields, mayBeDone } = failure;
  const elsewhere = withoutShownFaults(group, failure).fields;
  return fields.length > 0 && elsewhere.length === 0 && !mayBeDone;
}

function controlOf(group: FormGroup, { field }: FieldFault): AbstractControl | null {
  const path = field.replace(/^\//, '').split(/[/.[]/);
  // An entry of a list has a control of its own only where the list is made of rows, and a part of
  // a price only where it has a field: what is nearest to it says what is wrong.
  const lengths = path.map((_part, index) => path.length - index);
  const found = lengths.map((length) => group.get(path.slice(0, length)));
  const nearest = found.find((control) => control !== null) ?? null;
  return nearest === null ? null : firstField(nearest);
}

function firstField(control: AbstractControl): AbstractControl {
  if (!(control instanceof FormGroup || control instanceof FormArray)) return control;
  const [first] = Object.values<AbstractControl>(control.controls);
  return first === undefined ? control : firstField(first);
}

/**
 * Clears the server's faults before the form is sent again: the user may have fixed one at another
 * field than its own, and a form that stays invalid could never be sent.
 */
export function revalidate(group: FormGroup | FormArray): void {
  for (const control of Object.values<AbstractControl>(group.controls)) {
    if (control instanceof FormGroup || control instanceof FormArray) revalidate(control);
    control.updateValueAndValidity();
  }
}
