import { FormGroup, type AbstractControl } from '@angular/forms';
import type { Failure } from '../api/api-failure';

/**
 * Puts what the server said about single fields at those fields. Faults of fields the form does not have
 * stay in the failure, which is shown above the buttons.
 */
export function showServerFaults(group: FormGroup, failure: Failure | undefined): void {
  for (const { field, detail } of failure?.fields ?? []) {
    const path = field.replace(/^\//, '').split(/[/.[]/);
    // An entry of a list is no control of its own.
    const control: AbstractControl | null = group.get(path) ?? group.get(path.slice(0, 1));
    if (control === null) continue;
    control.setErrors({ server: detail });
    control.markAsTouched();
  }
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
