import { Component, inject } from '@angular/core';
import type { TeamView } from '@weir/shared/people/members';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { memberLinks } from '../member-links';
import { TeamDialog } from './team-dialog';

@Component({
  selector: 'weir-teams',
  imports: [PAGE_PARTS],
  template: `
    <weir-page [heading]="t('members.title')" [intro]="t('teams.intro')">
      <weir-sub-nav [label]="t('members.title')" [links]="links()" />
      @if (manages()) {
        <button
          pageAction
          matButton="filled"
          type="button"
          data-testid="create"
          (click)="edit(null)"
        >
          <weir-icon matButtonIcon name="plus" />{{ t('teams.create') }}
        </button>
      }
      @if (teams.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="teams.load()" />
      }
      <div class="card card-flush rows">
        @if (teams.waiting()) {
          <div><weir-skeleton width="60%" height="2.75rem" /></div>
        }
        @for (team of teams.value(); track team.id) {
          <div class="split">
            <div>
              <p class="strong">{{ team.name }}</p>
              <p class="small soft">
                {{ t('teams.members', { count: team.membersCount }) }} ·
                {{
                  team.allGroups
                    ? t('teams.allGroups')
                    : t('teams.someGroups', { count: team.groupIds.length })
                }}
              </p>
            </div>
            @if (manages()) {
              <div class="cluster">
                <button
                  matButton
                  type="button"
                  [attr.aria-label]="t('teams.editNamed', { name: team.name })"
                  (click)="edit(team)"
                >
                  {{ t('teams.edit') }}
                </button>
                <button
                  matButton
                  type="button"
                  [attr.aria-label]="t('teams.deleteNamed', { name: team.name })"
                  (click)="delete(team)"
                >
                  {{ t('teams.delete') }}
                </button>
              </div>
            }
          </div>
        }
        @if (teams.value()?.length === 0) {
          <weir-empty-state
            icon="groups"
            [heading]="t('teams.none')"
            [hint]="t('teams.noneHint')"
          />
        }
      </div>
    </weir-page>
  `,
})
export class Teams {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly links = memberLinks();
  protected readonly teams = new Loadable(async () => (await this.#api.call('listTeams')).data);

  constructor() {
    void this.teams.load();
  }

  protected manages(): boolean {
    return this.#session.permits('members.manage');
  }

  protected async edit(team: TeamView | null): Promise<void> {
    const saved = await this.#dialogs.open<TeamView | null, boolean>(TeamDialog, { data: team });
    if (saved === true) await this.teams.load();
  }

  protected async delete(team: TeamView): Promise<void> {
    const params = { teamId: team.id };
    const deleted = await this.#dialogs.confirm({
      heading: this.t('teams.deleteTitle'),
      text: this.t('teams.deleteText', { name: team.name }),
      action: this.t('teams.delete'),
      destructive: true,
      work: () => this.#api.call('deleteTeam', { params }),
    });
    if (deleted) await this.teams.load();
  }
}
