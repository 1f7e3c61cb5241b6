import { Component, inject, signal } from '@angular/core';
import { Api } from '../core/api/api';
import { failureOf, type Failure } from '../core/api/api-failure';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { Toasts } from '../design/feedback/toasts';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { PAGE_PARTS } from '../design/page/page-parts';
import { accountLinks } from './account-links';
import { NoticesForm } from './notices-form';

@Component({
  selector: 'weir-notices',
  imports: [Field, Form, PAGE_PARTS],
  template: `
    <weir-page [heading]="t('account.title')" [intro]="t('notices.intro')">
      <weir-sub-nav [label]="t('account.title')" [links]="links" />
      @if (site.settings()?.mailConfigured === false) {
        <weir-note tone="warn">{{ t('notices.noMail') }}</weir-note>
      }
      <div class="grid-wide">
        <section class="card stack">
          <h2>{{ t('notices.title') }}</h2>
          @if (form(); as form) {
            <weir-form
              [group]="form.group"
              [action]="form.action"
              [label]="t('notices.title')"
              (accepted)="save(form)"
            >
              <weir-field
                prefix="$"
                inputmode="decimal"
                [control]="form.controls.lowBalanceUsd"
                [label]="t('notices.lowBalance')"
                [hint]="t('notices.lowBalanceHint')"
              />
              <weir-field
                suffix="%"
                inputmode="numeric"
                [control]="form.controls.budgetPercent"
                [label]="t('notices.budget')"
                [hint]="t('notices.budgetHint')"
              />
              <weir-field
                inputmode="numeric"
                [control]="form.controls.planEndingDays"
                [label]="t('notices.planEnding')"
                [hint]="t('notices.planEndingHint')"
              />
              <div formActions>
                <button matButton="filled" type="submit" [disabled]="form.action.busy()">
                  {{ t('action.save') }}
                </button>
              </div>
            </weir-form>
          } @else if (failure(); as failure) {
            <weir-failure-note [failure]="failure" [retryable]="true" (retry)="load()" />
          } @else {
            <weir-skeleton height="15rem" />
          }
        </section>
      </div>
    </weir-page>
  `,
})
export class Notices {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly links = accountLinks();
  protected readonly form = signal<NoticesForm | undefined>(undefined);
  protected readonly failure = signal<Failure | undefined>(undefined);

  constructor() {
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      this.form.set(new NoticesForm(this.#api, await this.#api.call('getNoticeSettings')));
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(failureOf(thrown));
    }
  }

  protected async save(form: NoticesForm): Promise<void> {
    if (await form.submit()) this.#toasts.info(this.t('notices.saved'));
  }
}
