import { Component, inject, signal } from '@angular/core';
import { MEMBER_ROLES } from '@weir/shared/api/permissions';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { TokenForm } from './token-form';

@Component({
  selector: 'weir-token-dialog',
  imports: [FORM_DIALOG, SecretReveal],
  template: `
    <weir-form-dialog
      [heading]="t('tokens.createTitle')"
      [save]="t('tokens.create')"
      [group]="form.group"
      [action]="dialog.action"
      [finished]="preventsClose()"
      (accepted)="create()"
      (closed)="dialog.close(true)"
    >
      @if (token(); as token) {
        <weir-secret-reveal
          dialogResult
          [secret]="token"
          [what]="t('tokens.token')"
          [warning]="t('tokens.once')"
        />
      }
      <weir-field
        [control]="form.controls.name"
        [label]="t('keys.name')"
        [placeholder]="t('tokens.namePlaceholder')"
      />
      <weir-choice
        [control]="form.controls.scope"
        [label]="t('tokens.scope')"
        [hint]="t('tokens.scopeHint')"
        [options]="scopes()"
      />
      <weir-choice
        [control]="form.controls.role"
        [label]="t('tokens.role')"
        [hint]="t('tokens.roleHint')"
        [options]="roles()"
      />
      <weir-field
        type="datetime-local"
        [control]="form.controls.expiresAt"
        [label]="t('keys.expiresAt')"
        [optional]="true"
      />
    </weir-form-dialog>
  `,
})
export class TokenDialog implements PreventsClose {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork();
  protected readonly form = new TokenForm();
  protected readonly token = signal<string | undefined>(undefined);
  protected readonly roles = optionsOf(['', ...MEMBER_ROLES], (role) =>
    role === '' ? 'tokens.anyRole' : `memberRole.${role}`,
  );
  protected readonly scopes = optionsOf(['read', 'full'], (scope) => `tokens.${scope}`);

  preventsClose(): boolean {
    return this.token() !== undefined;
  }

  protected create(): Promise<void> {
    return this.dialog.run(async () => {
      const { token } = await this.#api.call('createAccessToken', { body: this.form.body() });
      this.token.set(token);
      return undefined;
    });
  }
}
