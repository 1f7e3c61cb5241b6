import { Component, inject } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import type { SignOnProviderView } from '@weir/shared/people/sign-on';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import type { Tagged } from '../../core/api/call-input';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { Icon } from '../../design/icon/icon';
import { DialogWork } from '../../design/resource/resource-dialog';
import { AccessForm } from './access-form';
import { RuleFields } from './rule-fields';

/** The rules and domains of a provider. */
@Component({
  selector: 'weir-access-dialog',
  imports: [FORM_DIALOG, Icon, MatButton, MatIconButton, RuleFields],
  templateUrl: './access-dialog.html',
  styleUrl: './access-dialog.scss',
})
export class AccessDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<Tagged<SignOnProviderView>, SignOnProviderView>();
  protected readonly seen = this.dialog.data.value;
  protected readonly form = new AccessForm(this.seen);

  protected save(): Promise<void> {
    return this.dialog.run(() =>
      this.#api.call('updateSignOnProvider', {
        params: { signOnProviderId: this.seen.id },
        ifMatch: this.dialog.data.etag,
        body: this.form.body(),
      }),
    );
  }
}
