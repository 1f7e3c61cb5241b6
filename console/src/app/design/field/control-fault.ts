import { computed, inject, signal, effect, type Signal } from '@angular/core';
import type { AbstractControl } from '@angular/forms';
import { faultWords } from '../../core/forms/fault-words';
import { I18n } from '../../core/i18n/i18n';

/**
 * The sentence under a field while it is wrong. Reactive forms notify no signal when code changes
 * them, so every event of the control is counted in one.
 */
export function controlFault(control: Signal<AbstractControl>): Signal<string> {
  const { t } = inject(I18n);
  const events = signal(0);
  effect((onCleanup) => {
    const subscription = control().events.subscribe(() => events.update((count) => count + 1));
    onCleanup(() => subscription.unsubscribe());
  });
  return computed(() => {
    events();
    const { touched, invalid, errors } = control();
    return touched && invalid ? faultWords(errors, t) : '';
  });
}

let fieldsMade = 0;

/** Ties a label to its field. */
export function nextFieldId(): string {
  fieldsMade += 1;
  return `weir-field-${String(fieldsMade)}`;
}
