import {
  afterRenderEffect,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { ReactiveFormsModule, type FormGroup } from '@angular/forms';
import {
  revalidate,
  showServerFaults,
  standsAtFields,
  withoutShownFaults,
} from '../../core/forms/server-faults';
import { I18n } from '../../core/i18n/i18n';
import type { Action } from '../../core/state/action';
import { FailureNote } from '../feedback/failure-note';

const FIELDS = 'weir-field, weir-text-area, weir-choice';

/**
 * A form as a person meets it: sent with Enter or its button; when something is wrong, the first
 * wrong field gets the focus; the server's message is shown at its field or above the
 * buttons.
 */
@Component({
  selector: 'weir-form',
  imports: [FailureNote, ReactiveFormsModule],
  template: `
    <form
      novalidate
      class="stack"
      [formGroup]="group()"
      [attr.aria-label]="label()"
      [attr.aria-busy]="action().busy()"
      (ngSubmit)="submit()"
    >
      <ng-content />
      @if (failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
      <ng-content select="[formActions]" />
    </form>
  `,
  styles: `
    :host {
      display: block;
    }
  `,
})
export class Form {
  readonly #i18n = inject(I18n);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef);

  readonly group = input.required<FormGroup>();
  readonly action = input.required<Action>();
  readonly label = input.required<string>();
  /** Only when every rule is met. */
  readonly accepted = output();

  /** Said above the buttons too it would be said twice. */
  readonly #saidAtFields = signal(false);
  protected readonly failure = computed(() => {
    const failure = this.action().failure();
    if (failure === undefined || this.#saidAtFields()) return undefined;
    return withoutShownFaults(this.group(), failure);
  });

  protected readonly note = viewChild<FailureNote, ElementRef<HTMLElement>>(FailureNote, {
    read: ElementRef,
  });

  constructor() {
    effect(() => {
      showServerFaults(this.group(), this.action().failure(), this.#i18n);
    });
    afterRenderEffect(() => {
      const failure = this.action().failure();
      const atFields = failure !== undefined && standsAtFields(this.group(), failure);
      this.#saidAtFields.set(atFields && this.#focusFirstFault());
    });
    // After the effect above: a note that is about to go must not scroll the wrong field away.
    afterRenderEffect(() => {
      if (this.failure() === undefined) return;
      this.note()?.nativeElement.scrollIntoView({ block: 'nearest' });
    });
  }

  submit(): void {
    const group = this.group();
    revalidate(group);
    group.markAllAsTouched();
    if (!group.valid) {
      this.#focusFirstFault();
      return;
    }
    this.accepted.emit();
  }

  /** False where no field that is shown is wrong. */
  #focusFirstFault(): boolean {
    const first = this.#host.nativeElement.querySelector<HTMLElement>(
      'input.ng-invalid, textarea.ng-invalid, mat-select.ng-invalid',
    );
    // What is folded away can be neither seen nor focused.
    const folded = first?.closest('details');
    if (folded) folded.open = true;
    first?.focus();
    // With its label and what is wrong with it.
    first?.closest(FIELDS)?.scrollIntoView({ block: 'nearest' });
    return first !== null;
  }
}
