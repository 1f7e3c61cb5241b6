import { Component, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { fetchOptions } from '../../core/i18n/options';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { AccountField } from '../accounts/finder/account-field';
import { GroupAccountForm, type GroupAccountSeen } from './group-account-form';

/** Gives a group to an account, or changes what the account pays in it. */
@Component({
  selector: 'weir-group-account-dialog',
  imports: [AccountField, FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="
        t(
          isKnown
            ? 'groups.ownPriceTitle'
            : seen.groupId
              ? 'groups.giveTitle'
              : 'groups.giveGroupTitle'
        )
      "
      [save]="t(isKnown ? 'action.save' : seen.groupId ? 'groups.addAccount' : 'groups.give')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      @if (!seen.accountId) {
        <weir-account-field [control]="form.controls.accountIds" [label]="t('accounts.account')" />
      }
      @if (!seen.groupId) {
        <weir-choice
          [control]="form.controls.groupId"
          [label]="t('keys.group')"
          [options]="groups"
        />
      }
      <weir-field
        prefix="×"
        inputmode="decimal"
        [optional]="true"
        [control]="form.controls.multiplier"
        [label]="t('groups.ownPrice')"
        [hint]="t('groups.ownPriceHint')"
      />
    </weir-form-dialog>
  `,
})
export class GroupAccountDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<GroupAccountSeen>();
  protected readonly seen = this.dialog.data;
  protected readonly isKnown = this.seen.groupId !== undefined && this.seen.accountId !== undefined;
  protected readonly form = new GroupAccountForm(this.seen);
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));

  protected save(): Promise<void> {
    return this.dialog.run(async () => {
      const params = { groupId: this.form.groupId() };
      await this.#api.call('addGroupAccounts', { params, body: this.form.body() });
      return true;
    });
  }
}
