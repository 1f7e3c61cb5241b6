import { Component, DestroyRef, effect, inject, input } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import type { AccountListItem } from '@weir/shared/people/accounts';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { controlFault, nextFieldId } from '../../../design/field/control-fault';
import { AccountFinder, emailOf, nameOf } from './account-finder';

/**
 * A field for an account: it is found by its name or by an e-mail address and chosen from a list;
 * `control` gets its id. Nobody knows ids by heart, though one that was copied is found as well.
 */
@Component({
  selector: 'weir-account-field',
  imports: [MatAutocompleteModule, MatFormFieldModule, MatInputModule, ReactiveFormsModule],
  template: `
    <label class="label" [for]="id">{{ label() }}</label>
    <mat-form-field appearance="outline" subscriptSizing="dynamic">
      <input
        matInput
        maxlength="100"
        spellcheck="false"
        data-testid="account"
        [id]="id"
        [formControl]="text"
        [errorStateMatcher]="matcher"
        [matAutocomplete]="options"
        (input)="type()"
        (blur)="control().markAsTouched()"
      />
      <mat-autocomplete
        #options="matAutocomplete"
        [displayWith]="nameOf"
        [autoActiveFirstOption]="true"
        (optionSelected)="choose($event.option.value)"
      >
        @for (account of finder.found.rows(); track account.id) {
          <mat-option [value]="account">
            {{ account.name }} <span class="note">{{ emailOf(account) }}</span>
          </mat-option>
        }
        @if (finder.found.isEmpty()) {
          <mat-option disabled>{{ t('accounts.none') }}</mat-option>
        }
      </mat-autocomplete>
      <mat-hint>{{ t('accounts.findHint') }}</mat-hint>
      <mat-error>{{ fault() }}</mat-error>
    </mat-form-field>
  `,
  styleUrl: '../../../design/field/label.scss',
})
export class AccountField {
  protected readonly t = inject(I18n).t;
  protected readonly id = nextFieldId();
  protected readonly finder = new AccountFinder(inject(Api));
  protected readonly emailOf = emailOf;
  protected readonly nameOf = nameOf;

  /** Holds the id of what is chosen; empty while nothing is. */
  readonly control = input.required<FormControl<string>>();
  readonly label = input.required<string>();

  /** What stands in the field: words while someone types, the account once it is chosen. */
  protected readonly text = new FormControl<string | AccountListItem>('', { nonNullable: true });
  protected readonly fault = controlFault(this.control);
  protected readonly matcher = {
    isErrorState: (): boolean => this.control().touched && this.control().invalid,
  };

  constructor() {
    inject(DestroyRef).onDestroy(() => this.finder.stop());
    effect((onCleanup) => {
      const control = this.control();
      const events = control.events.subscribe(() => {
        if (control.disabled) this.text.disable();
        else if (this.text.disabled) this.text.enable();
      });
      onCleanup(() => events.unsubscribe());
    });
  }

  protected type(): void {
    // What is typed is no account yet.
    this.control().setValue('');
    const { value } = this.text;
    if (typeof value === 'string') this.finder.type(value);
  }

  protected choose(account: AccountListItem): void {
    this.control().setValue(account.id);
  }
}
