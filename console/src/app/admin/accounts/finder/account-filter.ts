import { Component, DestroyRef, effect, inject, model, signal, untracked } from '@angular/core';
import {
  MatAutocompleteModule,
  type MatAutocompleteSelectedEvent,
} from '@angular/material/autocomplete';
import type { AccountListItem } from '@weir/shared/people/accounts';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { Icon } from '../../../design/icon/icon';
import { AccountFinder, emailOf, nameOf } from './account-finder';

/** Narrows a list to one account, which is found by its name or by an e-mail address. */
@Component({
  selector: 'weir-account-filter',
  imports: [Icon, MatAutocompleteModule],
  template: `
    <weir-icon name="search" />
    <input
      type="search"
      autocomplete="off"
      maxlength="100"
      spellcheck="false"
      data-testid="account-filter"
      [attr.aria-label]="t('accounts.account')"
      [placeholder]="t('accounts.anyAccount')"
      [value]="shown()"
      [matAutocomplete]="options"
      (input)="type($event)"
      (blur)="settle($event)"
    />
    <mat-autocomplete
      #options="matAutocomplete"
      [displayWith]="nameOf"
      [autoActiveFirstOption]="true"
      (optionSelected)="choose($event)"
    >
      @for (account of finder.found.rows(); track account.id) {
        <mat-option [value]="account">
          {{ account.name }} <span class="small soft">{{ emailOf(account) }}</span>
        </mat-option>
      }
      @if (finder.found.isEmpty()) {
        <mat-option disabled>{{ t('accounts.none') }}</mat-option>
      }
    </mat-autocomplete>
  `,
  styleUrl: '../../../design/field/search-box.scss',
})
export class AccountFilter {
  protected readonly t = inject(I18n).t;
  protected readonly finder = new AccountFinder(inject(Api));
  protected readonly emailOf = emailOf;
  protected readonly nameOf = nameOf;
  /** The name of what is chosen. */
  protected readonly shown = signal('');
  #known: AccountListItem | undefined;

  /** Id of an account; empty filters nothing. */
  readonly value = model('');

  constructor() {
    inject(DestroyRef).onDestroy(() => this.finder.stop());
    effect(() => {
      const id = this.value();
      untracked(() => void this.#show(id));
    });
  }

  protected type(event: Event): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.finder.type(event.target.value);
    if (event.target.value === '') this.value.set('');
  }

  protected choose({ option }: MatAutocompleteSelectedEvent): void {
    const account = option.value as AccountListItem;
    this.#known = account;
    this.value.set(account.id);
  }

  /** Words that were typed and not chosen filter nothing, so they do not stay. */
  protected settle(event: Event): void {
    if (event.target instanceof HTMLInputElement) event.target.value = this.shown();
  }

  /** An id that came with the address has no name yet. */
  async #show(id: string): Promise<void> {
    if (id !== '' && this.#known?.id !== id) this.#known = await this.finder.byId(id);
    if (id === this.value()) this.shown.set(id === '' ? '' : (this.#known?.name ?? id));
  }
}
