import { Component, inject } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import type { GroupDetail, GroupView } from '@weir/shared/groups';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { Chip } from '../../design/text/chip';
import { toolsFor } from '../../core/i18n/protocol-words';
import { GroupDialog, type GroupDialogData } from './group-dialog';

@Component({
  selector: 'weir-groups',
  imports: [
    Chip,
    EmptyState,
    FailureNote,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Page,
    Skeleton,
  ],
  template: `
    <weir-page [heading]="t('groups.title')" [intro]="t('groups.intro')">
      <button pageAction matButton="filled" type="button" data-testid="create" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('groups.create') }}
      </button>
      @if (groups.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="groups.load()" />
      }
      <div class="card card-flush rows">
        @if (groups.waiting()) {
          @for (line of lines; track line) {
            <div><weir-skeleton width="60%" height="2.75rem" /></div>
          }
        }
        @for (group of groups.value(); track group.id) {
          <div class="split">
            <div class="words">
              <p class="cluster">
                <button type="button" class="row-link" (click)="edit(group)">
                  {{ group.name }}
                </button>
                <weir-chip tone="brand">× {{ group.multiplier }}</weir-chip>
                @if (group.status === 'disabled') {
                  <weir-chip>{{ t('state.disabled') }}</weir-chip>
                }
              </p>
              <p class="small soft">
                {{ t('keys.groupModels', { count: group.modelsCount }) }}
                @if (group.rpm !== null) {
                  · {{ t('groups.rpmShort', { limit: group.rpm }) }}
                }
                @if (group.tpm !== null) {
                  · {{ t('groups.tpmShort', { limit: group.tpm }) }}
                }
                @if (toolsFor(group.protocols, t); as tools) {
                  · {{ tools }}
                }
                @if (group.description) {
                  · {{ group.description }}
                }
              </p>
            </div>
            <button
              matIconButton
              type="button"
              class="row-button"
              [matMenuTriggerFor]="menu"
              [attr.aria-label]="t('action.more', { name: group.name })"
            >
              <weir-icon name="more" />
            </button>
            <mat-menu #menu="matMenu" xPosition="before">
              <button mat-menu-item type="button" (click)="edit(group)">
                <weir-icon name="edit" />{{ t('action.edit') }}
              </button>
              <button mat-menu-item type="button" (click)="delete(group)">
                <weir-icon name="trash" />{{ t('keys.deleteAction') }}
              </button>
            </mat-menu>
          </div>
        }
        @if (groups.value()?.length === 0) {
          <weir-empty-state
            icon="groups"
            [heading]="t('groups.none')"
            [hint]="t('groups.noneHint')"
          >
            <button matButton="filled" type="button" (click)="create()">
              {{ t('groups.create') }}
            </button>
          </weir-empty-state>
        }
      </div>
    </weir-page>
  `,
  styles: `
    .words {
      flex: 1;
      min-width: 0;
    }
  `,
})
export class Groups {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly toolsFor = toolsFor;
  protected readonly lines = [1, 2, 3];
  protected readonly groups = new Loadable(async () => (await this.#api.call('listGroups')).data);

  constructor() {
    void this.groups.load();
  }

  protected async create(): Promise<void> {
    await this.#open({});
  }

  protected async edit(group: GroupView): Promise<void> {
    try {
      const params = { groupId: group.id };
      await this.#open({ group: await this.#api.callTagged('getGroup', { params }) });
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  async #open(data: GroupDialogData): Promise<void> {
    const saved = await this.#dialogs.open<GroupDialogData, GroupDetail>(GroupDialog, {
      data,
      wide: true,
    });
    if (saved === undefined) return;
    this.#toasts.info(this.t('catalog.saved', { name: saved.name }));
    await this.groups.load();
  }

  protected async delete(group: GroupView): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      heading: this.t('groups.deleteTitle'),
      text: this.t('groups.deleteText'),
      action: this.t('keys.delete'),
      name: group.name,
      destructive: true,
      work: () => this.#api.call('deleteGroup', { params: { groupId: group.id } }),
    });
    if (deleted) await this.groups.load();
  }
}
