import { Component, inject } from '@angular/core';
import type { TeamView } from '@weir/shared/people/members';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { fetchOptions } from '../../core/i18n/options';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { TeamForm } from './team-form';

/** Makes a team, or edits the one that it was opened with. */
@Component({
  selector: 'weir-team-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="dialog.data ? t('teams.editTitle') : t('teams.createTitle')"
      [save]="dialog.data ? t('action.save') : t('teams.create')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-field [control]="form.controls.name" [label]="t('keys.name')" />
      <weir-choice
        [many]="true"
        [control]="form.controls.groupIds"
        [label]="t('teams.groups')"
        [placeholder]="t('teams.allGroups')"
        [hint]="t('teams.groupsHint')"
        [options]="groups"
      />
    </weir-form-dialog>
  `,
})
export class TeamDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<TeamView | null>();
  protected readonly form = new TeamForm(this.dialog.data ?? undefined);
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));

  protected save(): Promise<void> {
    const team = this.dialog.data;
    return this.dialog.run(async () => {
      if (team === null) await this.#api.call('createTeam', { body: this.form.body() });
      else {
        const params = { teamId: team.id };
        await this.#api.call('updateTeam', { params, body: this.form.updateBody() });
      }
      return true;
    });
  }
}
