import { Component, inject, signal } from '@angular/core';
import type { MemberInvitationCreated, MemberInvitationView } from '@weir/shared/people/members';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { SecretReveal } from '../design/code/secret-reveal';
import type { PreventsClose } from '../design/dialog/dialogs';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { DialogWork } from '../design/resource/resource-dialog';
import { InviteForm } from './invite-form';
import { roleOptions, teamOptions } from './teams/team-options';

/** Invites a person. A link that was not mailed is shown this once. */
@Component({
  selector: 'weir-invite-dialog',
  imports: [FORM_DIALOG, SecretReveal],
  template: `
    <weir-form-dialog
      [heading]="t('invites.inviteTitle')"
      [save]="t('invites.invite')"
      [group]="form.group"
      [action]="dialog.action"
      [finished]="preventsClose()"
      (accepted)="invite()"
      (closed)="finish()"
    >
      @if (made(); as made) {
        <weir-secret-reveal
          dialogResult
          [secret]="made.link ?? ''"
          [what]="t('invites.link')"
          [warning]="t('invites.once')"
        />
      }
      <weir-field
        type="email"
        [optional]="true"
        [control]="form.controls.email"
        [label]="t('login.email')"
        [hint]="t('invites.emailHint')"
      />
      <weir-choice [control]="form.controls.role" [label]="t('account.role')" [options]="roles()" />
      <weir-choice [control]="form.controls.teamId" [label]="t('teams.team')" [options]="teams()" />
      <weir-field
        prefix="$"
        [optional]="true"
        [control]="form.controls.monthUsd"
        [label]="t('invites.budgetMonth')"
        [hint]="t('invites.budgetMonthHint')"
      />
    </weir-form-dialog>
  `,
})
export class InviteDialog implements PreventsClose {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<null, MemberInvitationView>();
  protected readonly form = new InviteForm();
  protected readonly roles = roleOptions();
  protected readonly teams = teamOptions();
  /** The invitation whose link is shown. */
  protected readonly made = signal<MemberInvitationCreated | undefined>(undefined);

  preventsClose(): boolean {
    return this.made() !== undefined;
  }

  protected invite(): Promise<void> {
    const body = this.form.body();
    return this.dialog.run(async () => {
      const made = await this.#api.call('inviteMember', { body });
      if (made.link === null) return made;
      this.made.set(made);
      return undefined;
    });
  }

  protected finish(): void {
    this.dialog.close(this.made());
  }
}
