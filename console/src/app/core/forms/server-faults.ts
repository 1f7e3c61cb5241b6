import { FormGroup, type AbstractControl } from '@angular/forms';
import type { FieldFault, Failure } from '../api/api-failure';

/** Puts what the server said about single fields at those fields. */
export function showServerFaults(group: FormGroup, failure: Failure | undefined): void {
  for (const fault of failure?.fields ?? []) {
    const control = controlOf(group, fault);
    control?.setErrors({ server: fault.detail });
    control?.markAsTouched();
  }
}

/** What is left to be shown above the buttons: the failure, with the faults of fields the form does not have. */
export function withoutShownFaults(group: FormGroup, failure: Failure): Failure {
  const fields = failure.fields.filter((fault) => controlOf(group, fault) === null);
  return { ...failure, fields };
}

function controlOf(group: FormGroup, { field }: FieldFault): AbstractControl | null {
  const path = field.replace(/^\//, '').split(/[/.[]/);
  // An entry of a list is no control of its own.
  return group.get(path) ?? group.get(path.slice(0, 1));
}

/**
 * What the server refused holds until it is asked again: it may have been mended at another field than the one it stands
 * at, and a form that takes it for wrong for ever would never be sent again.
 */
export function judgeAnew(group: FormGroup): void {
  for (const control of Object.values(group.controls)) {
    if (control instanceof FormGroup) judgeAnew(control);
    control.updateValueAndValidity();
  }
}
