import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { GroupDetail, GroupView } from '@weir/shared/catalog/groups';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { toolsFor } from '../../core/i18n/protocol-words';
import { Resource } from '../../design/resource/resource';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import { GroupDialog } from './group-dialog';

@Component({
  selector: 'weir-groups',
  imports: [RESOURCE_PAGE, RouterLink],
  template: `
    <weir-resource-page
      heading="groups.title"
      intro="groups.intro"
      create="groups.create"
      icon="groups"
      none="groups.none"
      noneHint="groups.noneHint"
      (created)="groups.create()"
    >
      <div class="split" *weirRow="let group of groups">
        <div class="row-words">
          <p class="cluster">
            <a class="row-link" [routerLink]="['/admin/groups', group.id]">{{ group.name }}</a>
            <weir-chip tone="brand">× {{ group.multiplier }}</weir-chip>
            @if (group.access !== 'public') {
              <weir-chip>{{ t(accessKey(group.access)) }}</weir-chip>
            }
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
        <weir-row-menu [row]="group" [name]="group.name" [acts]="groups.acts" />
      </div>
      <button emptyAction matButton="filled" type="button" (click)="groups.create()">
        {{ t('groups.create') }}
      </button>
    </weir-resource-page>
  `,
})
export class Groups {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly toolsFor = toolsFor;
  protected readonly accessKey = keyIn('groupAccess');
  protected readonly groups = new Resource<GroupView, GroupDetail>({
    list: () => this.#api.call('listGroups'),
    get: (groupId) => this.#api.callTagged('getGroup', { params: { groupId } }),
    delete: (groupId) => this.#api.call('deleteGroup', { params: { groupId } }),
    dialog: GroupDialog,
    wide: true,
    saved: ({ name }) => this.t('catalog.saved', { name }),
    deleting: ({ name }) => ({
      heading: this.t('groups.deleteTitle'),
      text: this.t('groups.deleteText'),
      action: this.t('keys.delete'),
      name,
    }),
  });
}
