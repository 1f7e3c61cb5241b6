import { Component, computed, inject, input } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatSelectModule } from '@angular/material/select';
import { I18n, type Option } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { failureWords } from '../feedback/failure-words';
import { controlFault, nextFieldId } from './control-fault';

export interface ChoiceOption extends Option {
  readonly note?: string;
  readonly disabled?: boolean;
}

/** One of a few, or several of many with `many`. */
@Component({
  selector: 'weir-choice',
  imports: [MatFormFieldModule, MatSelectModule, ReactiveFormsModule],
  template: `
    <span class="label" [id]="id + '-label'">
      {{ label() }}
      @if (optional()) {
        <span class="optional">{{ t('field.optional') }}</span>
      }
    </span>
    <mat-form-field appearance="outline" subscriptSizing="dynamic">
      <mat-select
        [id]="id"
        [aria-labelledby]="id + '-label'"
        [formControl]="control()"
        [multiple]="many()"
        [placeholder]="placeholder()"
        (opened)="askAgain()"
      >
        @for (option of shown(); track option.value) {
          <mat-option [value]="option.value" [disabled]="option.disabled ?? false">
            {{ option.label }}
            @if (option.note) {
              <span class="note">{{ option.note }}</span>
            }
          </mat-option>
        } @empty {
          <mat-option class="weir-why-empty" disabled>{{ whyEmpty() }}</mat-option>
        }
      </mat-select>
      @if (hint()) {
        <mat-hint>{{ hint() }}</mat-hint>
      }
      <mat-error>{{ fault() }}</mat-error>
    </mat-form-field>
  `,
  styleUrl: './label.scss',
})
export class Choice {
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly id = nextFieldId();

  readonly control = input.required<FormControl<string> | FormControl<readonly string[]>>();
  readonly label = input.required<string>();
  /** The options, or a loadable of them. */
  readonly options = input.required<readonly ChoiceOption[] | Loadable<readonly ChoiceOption[]>>();
  /**
   * The source of options that are made here, because the list alone cannot show that it is still
   * loading.
   */
  readonly madeFrom = input<Loadable<unknown>>();
  readonly hint = input('');
  readonly placeholder = input('');
  readonly optional = input(false);
  readonly many = input(false);

  protected readonly fault = controlFault(this.control);
  readonly #fetched = computed(() => {
    const options = this.options();
    return options instanceof Loadable ? options : this.madeFrom();
  });
  protected readonly shown = computed(() => {
    const options = this.options();
    return options instanceof Loadable ? (options.value() ?? []) : options;
  });
  // A select without any option does not open at all, and a user who is quicker than the server
  // would click in vain.
  protected readonly whyEmpty = computed(() => {
    const failure = this.#fetched()?.failure();
    if (failure !== undefined) return failureWords(failure, this.#i18n);
    return this.#fetched()?.waiting() === true
      ? this.t('table.loading')
      : this.t('field.noOptions');
  });

  protected askAgain(): void {
    const fetched = this.#fetched();
    if (fetched?.failure() !== undefined) void fetched.load();
  }
}
