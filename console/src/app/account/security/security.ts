import { Component, inject } from '@angular/core';
import type { SessionView } from '@weir/shared/people/sessions';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { accountLinks } from '../account-links';
import { Identities } from '../identities';
import { PasswordForm } from './password-form';
import { ProofDialog } from './proof-dialog';
import { SecondFactorDialog } from './second-factor-dialog';
import type { ProofPurpose } from './second-factor-setup';
import { SessionsState } from './sessions-state';
import { describeAgent } from './user-agent';

@Component({
  selector: 'weir-security',
  imports: [Field, Form, Identities, PAGE_PARTS],
  templateUrl: './security.html',
})
export class Security {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = accountLinks();
  protected readonly password = new PasswordForm(inject(Api));
  protected readonly state = new SessionsState(inject(Api));
  protected readonly describeAgent = describeAgent;

  constructor() {
    void this.state.sessions.load();
  }

  protected async changePassword(): Promise<void> {
    if (!(await this.password.submit())) return;
    this.#toasts.info(this.t('account.passwordChanged'));
    await this.state.sessions.load();
  }

  protected async setUpSecondFactor(): Promise<void> {
    await this.#dialogs.open(SecondFactorDialog, { data: null });
    await this.session.refresh();
  }

  protected async prove(purpose: ProofPurpose): Promise<void> {
    const done = await this.#dialogs.open<ProofPurpose, boolean>(ProofDialog, { data: purpose });
    if (done === true && purpose === 'remove') this.#toasts.info(this.t('secondFactor.removed'));
    await this.session.refresh();
  }

  protected async revoke(session: SessionView): Promise<void> {
    await this.#toasts.reporting(() => this.state.revoke(session));
  }

  protected async revokeOthers(): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('account.endOthersTitle'),
      text: this.t('account.endOthersText'),
      action: this.t('account.endOthers'),
      destructive: true,
      work: () => this.state.revokeOthers(),
    });
  }
}
