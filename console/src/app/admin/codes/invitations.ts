import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { InvitationCodeView } from '@weir/shared/registrations';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { CopyButton } from '../../design/code/copy-button';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';
import { codeAdminLinks } from './code-links';
import { InvitationDialog } from './invitation-dialog';

@Component({
  selector: 'weir-invitations',
  imports: [Cell, Chip, CopyButton, DataTable, EmptyState, Icon, MatButton, Page, SubNav, Time],
  template: `
    <weir-page [heading]="t('nav.codes')" [intro]="t('codes.invitationsIntro')">
      <button pageAction matButton="filled" type="button" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('codes.invite') }}
      </button>
      <weir-sub-nav [label]="t('nav.codes')" [links]="links()" />
      <weir-data-table
        [label]="t('codes.invitations')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
        <ng-template weirCell="code" [weirCellRows]="list.rows()" let-invitation>
          <span class="code">
            <code class="clip" [title]="invitation.code">{{ invitation.code }}</code>
            <weir-copy-button [text]="invitation.code" [what]="t('register.invitation')" />
          </span>
        </ng-template>
        <ng-template weirCell="note" [weirCellRows]="list.rows()" let-invitation>
          <span class="soft two-lines" [title]="invitation.note">{{ invitation.note }}</span>
        </ng-template>
        <ng-template weirCell="used" [weirCellRows]="list.rows()" let-invitation>{{
          t('codes.usedOf', { used: invitation.usesCount, count: invitation.usesMax })
        }}</ng-template>
        <ng-template weirCell="expires" [weirCellRows]="list.rows()" let-invitation>
          @if (invitation.expiresAt; as at) {
            <weir-time [at]="at" />
          } @else {
            <span class="soft">{{ t('codes.never') }}</span>
          }
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-invitation>
          @if (invitation.status === 'active') {
            <weir-chip tone="good">{{ t('state.active') }}</weir-chip>
          } @else {
            <weir-chip>{{ t('state.disabled') }}</weir-chip>
          }
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-invitation>
          <button
            matButton
            type="button"
            [attr.aria-label]="
              t(invitation.status === 'active' ? 'keys.disableNamed' : 'keys.enableNamed', {
                name: invitation.code,
              })
            "
            (click)="toggle(invitation)"
          >
            {{ invitation.status === 'active' ? t('action.disable') : t('action.enable') }}
          </button>
        </ng-template>
        <weir-empty-state
          icon="codes"
          [heading]="t('codes.noInvitations')"
          [hint]="t('codes.noInvitationsHint')"
        />
      </weir-data-table>
    </weir-page>
  `,
  styles: `
    .code {
      display: flex;
      align-items: center;
    }
  `,
})
export class Invitations {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly links = codeAdminLinks();
  protected readonly idOf = ({ id }: InvitationCodeView): string => id;
  protected readonly list = new RowList<InvitationCodeView>((cursor) =>
    this.#api.call('listInvitationCodes', { query: cursor === undefined ? {} : { cursor } }),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'code', header: this.t('billing.code'), width: '2.6fr', narrow: 'title' },
    { id: 'note', header: this.t('codes.note'), width: '1fr', narrow: 'note' },
    { id: 'used', header: this.t('codes.used'), width: '5rem', narrow: 'detail' },
    {
      id: 'expires',
      header: this.t('keys.expiresAt'),
      width: '8rem',
      narrow: 'hidden',
      wideOnly: true,
    },
    { id: 'status', header: this.t('keys.status'), width: '5.5rem', narrow: 'value' },
    { id: 'actions', header: '', width: '5rem', align: 'end', narrow: 'actions' },
  ]);

  constructor() {
    void this.list.load();
  }

  protected async create(): Promise<void> {
    const created = await this.#dialogs.open<null, InvitationCodeView>(InvitationDialog, {
      data: null,
    });
    if (created !== undefined) this.list.prepend(created);
  }

  protected async toggle(invitation: InvitationCodeView): Promise<void> {
    const status = invitation.status === 'active' ? 'disabled' : 'active';
    try {
      const updated = await this.#api.call('updateInvitationCode', {
        params: { invitationCodeId: invitation.id },
        body: { status },
      });
      this.list.replace(({ id }) => id === updated.id, updated);
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
