import { Component, inject, signal, viewChild } from '@angular/core';
import type { AccountingMailView } from '@weir/shared/money/accounting';
import { Api } from '../../core/api/api';
import { failureOf, type Failure } from '../../core/api/api-failure';
import { Edits } from '../../core/forms/edits';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Site } from '../../core/session/site';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { Toasts } from '../../design/feedback/toasts';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Switch } from '../../design/field/switch';
import { TextArea } from '../../design/field/text-area';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { watchEdits } from '../../shell/unsaved-edits';
import { AccountingForm } from './accounting-form';
import { ACCOUNTING_LINKS } from './accounting-links';

const MAIL_TONES = {
  waiting: 'plain',
  sending: 'plain',
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
} as const;

@Component({
  selector: 'weir-accounting-settings',
  imports: [Field, Form, PAGE_PARTS, Switch, TextArea],
  templateUrl: './settings.html',
})
export class AccountingSettings {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly site = inject(Site);
  protected readonly links = ACCOUNTING_LINKS;
  protected readonly tones = MAIL_TONES;
  protected readonly fields = viewChild(Form);
  protected readonly form = signal<AccountingForm | undefined>(undefined);
  protected readonly failure = signal<Failure | undefined>(undefined);
  protected readonly saving = new Action();
  protected readonly mails = new Loadable(
    async () => (await this.#api.call('listAccountingMails')).data,
  );
  #etag = '*';
  #edits: Edits | undefined;

  constructor() {
    watchEdits(() => this.#edits?.any() ?? false);
    void this.mails.load();
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      const { value, etag } = await this.#api.callTagged('getAccountingSettings');
      this.#etag = etag;
      const form = new AccountingForm(value);
      this.form.set(form);
      this.#edits = new Edits(() => form.group.getRawValue());
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(failureOf(thrown));
    }
  }

  protected async save(form: AccountingForm): Promise<void> {
    const sent = this.#edits?.snapshot();
    const done = await this.saving.run(async () => {
      const { etag } = await this.#api.callTagged('updateAccountingSettings', {
        ifMatch: this.#etag,
        body: form.body(),
      });
      this.#etag = etag;
    });
    if (!done) return;
    this.#edits?.saved(sent);
    this.#toasts.info(this.t('accounting.saved'));
  }

  protected async repeat({ id }: AccountingMailView): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.#api.call('repeatAccountingMail', { params: { accountingMailId: id } });
      await this.mails.load();
      this.#toasts.info(this.t('accounting.mailRepeated'));
    });
  }
}
