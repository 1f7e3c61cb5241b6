import { Component, computed, inject, input } from '@angular/core';
import { INVITATION_CODE_SORTS, type InvitationCodeView } from '@weir/shared/people/registrations';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { Selection } from '../../core/state/selection';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { CopyButton } from '../../design/code/copy-button';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import { BulkBar } from '../../design/table/bulk-bar';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { codeBulkActs } from './code-bulk-acts';
import { CODE_LINKS } from './code-links';
import { InvitationDialog } from './invitation-dialog';

const COLUMNS: readonly Column[] = [
  { id: 'code', header: 'register.invitation', width: '2.6fr', narrow: 'title' },
  { id: 'note', header: 'codes.note', width: '1fr', narrow: 'note', sort: 'note' },
  { id: 'used', header: 'codes.used', width: '6rem', narrow: 'detail', sort: 'uses' },
  { id: 'expires', header: 'keys.expiresAt', width: '8rem', wideOnly: true },
  { id: 'status', header: 'keys.status', width: '6rem', narrow: 'value', sort: 'status' },
  { id: 'actions', header: '', width: '5rem', align: 'end', narrow: 'actions' },
];

@Component({
  selector: 'weir-invitations',
  imports: [BulkBar, CopyButton, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.codes')" [intro]="t('codes.invitationsIntro')">
      <weir-sub-nav [label]="t('nav.codes')" [links]="links" />
      <button pageAction matButton="filled" type="button" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('codes.invite') }}
      </button>
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <weir-data-table
        [selection]="selection"
        [label]="t('codes.invitations')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
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
  protected readonly links = CODE_LINKS;
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() =>
    orderFrom(this.sort(), INVITATION_CODE_SORTS, '-created'),
  );
  protected readonly list = filteredList(
    () => ({ sort: this.order() }),
    (query) => this.#api.call('listInvitationCodes', { query }),
  );
  protected readonly columns = COLUMNS;
  protected readonly selection = new Selection(this.list, {
    idOf: ({ id }) => id,
    nameOf: ({ code }) => code,
  });
  protected readonly acts = codeBulkActs({
    t: this.t,
    bulk: new BulkChanges<InvitationCodeView>({
      dialogs: this.#dialogs,
      toasts: this.#toasts,
      selection: this.selection,
      list: this.list,
      filters: () => ({}),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeInvitationCodesInBulk', {
          body: { ...body, dryRun },
          idempotencyKey,
        }),
    }),
  });

  protected async create(): Promise<void> {
    const created = await this.#dialogs.open<null, InvitationCodeView>(InvitationDialog, {
      data: null,
    });
    if (created !== undefined) this.list.prepend(created);
  }

  protected async toggle(invitation: InvitationCodeView): Promise<void> {
    const status = invitation.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(async () => {
      const updated = await this.#api.call('updateInvitationCode', {
        params: { invitationCodeId: invitation.id },
        body: { status },
      });
      this.list.replace(updated);
    });
  }
}
