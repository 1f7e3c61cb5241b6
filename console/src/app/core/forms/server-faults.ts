import type { AbstractControl, FormGroup } from '@angular/forms';
import type { Failure } from '../api/api-failure';

/**
 * Puts what the server said about single fields at those fields. Faults of fields the form does not have
 * stay in the failure, which is shown above the buttons.
 */
export function showServerFaults(group: FormGroup, failure: Failure | undefined): void {
  for (const { field, detail } of failure?.fields ?? []) {
    const name = field.replace(/^\//, '').split(/[/.[]/)[0] ?? '';
    const control: AbstractControl | null = group.get(name);
    if (control === null) continue;
    control.setErrors({ server: detail });
    control.markAsTouched();
  }
}
