import { Component, inject } from '@angular/core';
import type { MemberInvitationView } from '@weir/shared/people/members';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { keyIn } from '../core/i18n/options';
import { filteredList } from '../core/state/filtered-list';
import { Dialogs } from '../design/dialog/dialogs';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { Column } from '../design/table/column';
import { InviteDialog } from './invite-dialog';
import { memberLinks } from './member-links';

const COLUMNS: readonly Column[] = [
  { id: 'who', header: 'invites.who', width: '2fr', narrow: 'title' },
  { id: 'role', header: 'account.role', width: '1.2fr', narrow: 'note' },
  { id: 'status', header: 'keys.status', width: '7rem', narrow: 'value' },
  { id: 'by', header: 'invites.by', width: '1.5fr', wideOnly: true },
  { id: 'expires', header: 'keys.expiresAt', width: '7.5rem', narrow: 'detail' },
  { id: 'actions', header: '', width: '7rem', align: 'end', narrow: 'actions' },
];

const TONES = { open: 'warn', accepted: 'good', withdrawn: 'plain', expired: 'plain' } as const;

@Component({
  selector: 'weir-member-invitations',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('members.title')" [intro]="t('invites.intro')">
      <weir-sub-nav [label]="t('members.title')" [links]="links()" />
      <button pageAction matButton="filled" type="button" data-testid="invite" (click)="invite()">
        <weir-icon matButtonIcon name="plus" />{{ t('invites.invite') }}
      </button>
      <weir-data-table [label]="t('invites.title')" [list]="list" [columns]="columns">
        <ng-template weirCell="who" [weirCellRows]="list.rows()" let-invitation>
          <weir-name [value]="nameOf(invitation)" />
        </ng-template>
        <ng-template weirCell="role" [weirCellRows]="list.rows()" let-invitation>
          <span class="two-lines">
            {{ t(roleKey(invitation.role)) }}
            @if (invitation.teamName; as team) {
              <span class="soft">· {{ team }}</span>
            }
          </span>
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-invitation>
          <weir-chip [tone]="tones[invitation.status]">{{
            t(statusKey(invitation.status))
          }}</weir-chip>
        </ng-template>
        <ng-template weirCell="by" [weirCellRows]="list.rows()" let-invitation>
          <weir-name [value]="invitation.invitedBy" />
        </ng-template>
        <ng-template weirCell="expires" [weirCellRows]="list.rows()" let-invitation>
          @if (invitation.status === 'open') {
            <weir-time [at]="invitation.expiresAt" />
          }
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-invitation>
          @if (invitation.status === 'open') {
            <button
              matButton
              type="button"
              [attr.aria-label]="t('invites.withdrawNamed', { name: nameOf(invitation) })"
              (click)="withdraw(invitation)"
            >
              {{ t('invites.withdraw') }}
            </button>
          }
        </ng-template>
        <weir-empty-state
          icon="accounts"
          [heading]="t('invites.none')"
          [hint]="t('invites.noneHint')"
        />
      </weir-data-table>
    </weir-page>
  `,
})
export class MemberInvitations {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly links = memberLinks();
  protected readonly roleKey = keyIn('memberRole');
  protected readonly statusKey = keyIn('inviteStatus');
  protected readonly tones = TONES;
  protected readonly columns = COLUMNS;
  protected readonly list = filteredList(
    () => ({}),
    (query) => this.#api.call('listMemberInvitations', { query }),
  );

  /** The person who accepted it, or the address that it was for. */
  protected nameOf({ email, acceptedBy }: MemberInvitationView): string {
    return acceptedBy ?? email ?? this.t('invites.byLink');
  }

  protected async invite(): Promise<void> {
    await this.#dialogs.open<null, MemberInvitationView>(InviteDialog, { data: null });
    await this.list.load();
  }

  protected async withdraw(invitation: MemberInvitationView): Promise<void> {
    const params = { memberInvitationId: invitation.id };
    const withdrawn = await this.#dialogs.confirm({
      heading: this.t('invites.withdrawTitle'),
      text: this.t('invites.withdrawText', { name: this.nameOf(invitation) }),
      action: this.t('invites.withdraw'),
      destructive: true,
      work: () => this.#api.call('withdrawMemberInvitation', { params }),
    });
    if (withdrawn) await this.list.load();
  }
}
