import { Component, inject, signal } from '@angular/core';
import type { MemberInvitationView, MemberView } from '@weir/shared/people/members';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { keyIn } from '../core/i18n/options';
import { Session } from '../core/session/session';
import { filteredList } from '../core/state/filtered-list';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { Column } from '../design/table/column';
import { InviteDialog } from './invite-dialog';
import { MemberDialog } from './member-dialog';
import { memberLinks } from './member-links';

const COLUMNS: readonly Column[] = [
  { id: 'email', header: 'login.email', width: '2fr', narrow: 'title' },
  { id: 'role', header: 'account.role', width: '1.2fr', narrow: 'value' },
  { id: 'team', header: 'teams.team', width: '1.2fr', narrow: 'note' },
  { id: 'keys', header: 'nav.keys', width: '5rem', align: 'end', wideOnly: true },
  { id: 'since', header: 'members.since', width: '7.5rem', narrow: 'detail' },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-members',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('members.title')" [intro]="t('members.intro')">
      <weir-sub-nav [label]="t('members.title')" [links]="links()" />
      @if (manages()) {
        <button pageAction matButton="filled" type="button" data-testid="invite" (click)="invite()">
          <weir-icon matButtonIcon name="plus" />{{ t('invites.invite') }}
        </button>
      }
      <div class="cluster">
        <weir-search-box [label]="t('members.search')" [(value)]="search" />
      </div>
      <weir-data-table [label]="t('members.title')" [list]="list" [columns]="columns">
        <ng-template weirCell="email" [weirCellRows]="list.rows()" let-member>
          @if (manages()) {
            <button type="button" class="row-link" (click)="edit(member)">
              <weir-name [value]="member.email" />
            </button>
          } @else {
            <weir-name [value]="member.email" />
          }
        </ng-template>
        <ng-template weirCell="role" [weirCellRows]="list.rows()" let-member>
          {{ t(roleKey(member.role)) }}
          @if (member.ownershipOffered) {
            <weir-chip tone="warn">{{ t('members.offered') }}</weir-chip>
          }
        </ng-template>
        <ng-template weirCell="team" [weirCellRows]="list.rows()" let-member>
          <span class="soft two-lines">
            {{ member.teamName }}
            @if (member.managedBy; as provider) {
              @if (member.teamName !== null) {
                ·
              }
              <span class="small">{{ t('members.managed', { provider }) }}</span>
            }
          </span>
        </ng-template>
        <ng-template weirCell="keys" [weirCellRows]="list.rows()" let-member>{{
          member.keysCount
        }}</ng-template>
        <ng-template weirCell="since" [weirCellRows]="list.rows()" let-member>
          <weir-time [at]="member.joinedAt" />
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-member>
          @if (manages() && member.userId !== ownId()) {
            <button
              matIconButton
              type="button"
              class="row-button"
              [matMenuTriggerFor]="menu"
              [attr.aria-label]="t('action.more', { name: member.email })"
            >
              <weir-icon name="more" />
            </button>
            <mat-menu #menu="matMenu" xPosition="before">
              <button mat-menu-item type="button" (click)="edit(member)">
                <weir-icon name="edit" />{{ t('members.edit') }}
              </button>
              <button mat-menu-item type="button" (click)="remove(member)">
                <weir-icon name="trash" />{{ t('members.remove') }}
              </button>
            </mat-menu>
          }
        </ng-template>
        <weir-empty-state icon="accounts" [heading]="t('members.none')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Members {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly links = memberLinks();
  protected readonly roleKey = keyIn('memberRole');
  protected readonly columns = COLUMNS;
  protected readonly search = signal('');
  protected readonly list = filteredList(
    () => ({ search: this.search() }),
    (query) => this.#api.call('listMembers', { query }),
  );

  protected manages(): boolean {
    return this.#session.permits('members.manage');
  }

  protected ownId(): string | undefined {
    return this.#session.user()?.id;
  }

  protected async invite(): Promise<void> {
    const invited = await this.#dialogs.open<null, MemberInvitationView>(InviteDialog, {
      data: null,
    });
    if (invited !== undefined) this.#toasts.info(this.t('invites.sent'));
  }

  protected async edit(member: MemberView): Promise<void> {
    const changed = await this.#dialogs.open<MemberView, MemberView>(MemberDialog, {
      data: member,
    });
    if (changed !== undefined) this.list.replace(changed);
  }

  #removeText({ email, managedBy: provider }: MemberView): string {
    const text = this.t('members.removeText', { email });
    return provider === null ? text : `${text} ${this.t('members.removeManaged', { provider })}`;
  }

  protected async remove(member: MemberView): Promise<void> {
    const params = { memberId: member.id };
    const removed = await this.#dialogs.confirm({
      heading: this.t('members.removeTitle'),
      text: this.#removeText(member),
      action: this.t('members.remove'),
      destructive: true,
      work: () => this.#api.call('removeMember', { params }),
    });
    if (removed) await this.list.load();
  }
}
