import { Component, computed, inject, signal } from '@angular/core';
import { LANGUAGES, THEMES } from '@weir/shared/people/users';
import { ContentPolicy } from '../content-log/content-policy';
import { Api } from '../core/api/api';
import { failureOf, type Failure } from '../core/api/api-failure';
import { I18n, LANGUAGE_NAMES, type Language } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { Session } from '../core/session/session';
import { Theme, type ThemeChoice } from '../core/theme/theme';
import { Toasts } from '../design/feedback/toasts';
import { Choice } from '../design/field/choice';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { Pills } from '../design/field/pills';
import { PAGE_PARTS } from '../design/page/page-parts';
import { watchEdits } from '../shell/unsaved-edits';
import { PREFERENCES } from '../shell/preferences/preferences-token';
import { AccountForm } from './account-form';
import { accountLinks } from './account-links';

@Component({
  selector: 'weir-account',
  imports: [Choice, ContentPolicy, Field, Form, Pills, PAGE_PARTS],
  templateUrl: './account.html',
})
export class Account {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  readonly #preferences = inject(PREFERENCES);
  readonly #account = inject(OwnAccount);
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly session = inject(Session);
  protected readonly theme = inject(Theme);
  protected readonly language = this.#i18n.language;
  protected readonly links = accountLinks();
  protected readonly form = signal<AccountForm | undefined>(undefined);
  protected readonly failure = signal<Failure | undefined>(undefined);

  protected readonly themes = computed(() =>
    THEMES.map((value) => ({ value, label: this.t(`theme.${value}`) })),
  );
  protected readonly languages = LANGUAGES.map((value) => ({
    value,
    label: LANGUAGE_NAMES[value],
  }));
  protected readonly preferences = computed(() => [
    { value: 'subscription_first', label: this.t('account.subscriptionFirst') },
    { value: 'balance_first', label: this.t('account.balanceFirst') },
  ]);

  constructor() {
    watchEdits(() => this.form()?.edits.any() ?? false);
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      this.form.set(new AccountForm(this.#api, await this.#api.callTagged('getOwnAccount')));
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(failureOf(thrown));
    }
  }

  protected async save(form: AccountForm): Promise<void> {
    const updated = await form.submit();
    if (updated === undefined) return;
    this.#account.set(updated);
    this.#toasts.info(this.t('account.saved'));
  }

  protected chooseTheme(theme: ThemeChoice): void {
    void this.#preferences.chooseTheme(theme);
  }

  protected chooseLanguage(language: Language): void {
    void this.#preferences.chooseLanguage(language);
  }
}
