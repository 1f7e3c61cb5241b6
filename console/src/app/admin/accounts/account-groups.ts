import { Component, effect, inject, input, untracked } from '@angular/core';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { GroupAccountActs } from '../groups/group-account-acts';

/** The groups that an account was given, and its prices there. */
@Component({
  selector: 'weir-account-groups',
  imports: [PAGE_PARTS],
  template: `
    <section class="card card-flush">
      <div class="card-head split">
        <h2>{{ t('groups.title') }}</h2>
        @if (session.may('addGroupAccounts') && editable()) {
          <button
            matButton
            type="button"
            data-testid="give-group"
            (click)="acts.open({ accountId: accountId() })"
          >
            {{ t('groups.give') }}
          </button>
        }
      </div>
      @if (groups.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="groups.load()" />
      }
      <div class="rows top-line">
        @for (row of groups.value(); track row.groupId) {
          <div class="split">
            <div>
              <p class="strong">
                @if (session.may('getGroup')) {
                  <a class="row-link" [routerLink]="['/admin/groups', row.groupId]">{{
                    row.groupName
                  }}</a>
                } @else {
                  {{ row.groupName }}
                }
              </p>
              <p class="small soft">{{ t(accessKey(row.groupAccess)) }}</p>
            </div>
            <span class="cluster">
              @if (row.multiplier; as multiplier) {
                <weir-chip tone="brand">× {{ multiplier }}</weir-chip>
              } @else {
                <span class="soft">× {{ row.groupMultiplier }}</span>
              }
              @if (session.may('addGroupAccounts') && editable()) {
                <weir-row-menu [row]="row" [name]="row.groupName" [acts]="acts.acts" />
              }
            </span>
          </div>
        } @empty {
          <p class="soft">{{ t('groups.noneGiven') }}</p>
        }
      </div>
    </section>
  `,
})
export class AccountGroups {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly accessKey = keyIn('groupAccess');

  readonly accountId = input.required<string>();
  /** Not those of an account that was deleted. */
  readonly editable = input(true);

  protected readonly groups = new Loadable(
    async () =>
      (await this.#api.call('listAccountGroups', { params: { accountId: this.accountId() } })).data,
  );
  protected readonly acts = new GroupAccountActs(() => this.groups.load());

  constructor() {
    effect(() => {
      this.accountId();
      untracked(() => void this.groups.load());
    });
  }
}
