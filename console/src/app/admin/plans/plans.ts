import { Component, inject } from '@angular/core';
import type { PlanDetail, PlanView } from '@weir/shared/money/plans';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Resource } from '../../design/resource/resource';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import { PlanDialog } from './plan-dialog';
import { PLAN_LINKS } from './plan-links';

@Component({
  selector: 'weir-admin-plans',
  imports: [RESOURCE_PAGE],
  template: `
    <weir-resource-page
      heading="nav.plans"
      intro="planAdmin.intro"
      create="planAdmin.create"
      icon="plans"
      none="planAdmin.none"
      noneHint="planAdmin.noneHint"
      [links]="links"
      (created)="plans.create()"
    >
      <div class="split" *weirRow="let plan of plans">
        <div class="row-words">
          <p class="cluster">
            <button type="button" class="row-link" (click)="plans.edit(plan)">
              {{ plan.name }}
            </button>
            <span>
              <weir-money class="strong" [usd]="plan.priceUsd" />
              <span class="small soft"> / {{ t('plans.days', { count: plan.periodDays }) }}</span>
            </span>
            @if (plan.status === 'disabled') {
              <weir-chip>{{ t('planAdmin.notForSale') }}</weir-chip>
            }
          </p>
          <p class="small soft">
            @for (allowance of plan.allowances; track allowance.window; let last = $last) {
              <weir-money [usd]="allowance.limitUsd" />
              {{ t('plans.perWindow', { window: t(windowKey(allowance.window)) })
              }}{{ last ? '' : ' · ' }}
            }
          </p>
          <p class="small soft cluster">
            @for (group of plan.groups; track group.id) {
              <weir-chip tone="brand">{{ group.name }}</weir-chip>
            }
          </p>
        </div>
        <weir-row-menu [row]="plan" [name]="plan.name" [acts]="plans.acts" />
      </div>
      <button emptyAction matButton="filled" type="button" (click)="plans.create()">
        {{ t('planAdmin.create') }}
      </button>
    </weir-resource-page>
  `,
})
export class AdminPlans {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly links = PLAN_LINKS;
  protected readonly windowKey = keyIn('window');
  protected readonly plans = new Resource<PlanView, PlanDetail>({
    list: () => this.#api.call('listPlans'),
    get: (planId) => this.#api.callTagged('getPlan', { params: { planId } }),
    delete: (planId) => this.#api.call('deletePlan', { params: { planId } }),
    dialog: PlanDialog,
    wide: true,
    saved: ({ name }) => this.t('catalog.saved', { name }),
    deleting: ({ name }) => ({
      heading: this.t('planAdmin.deleteTitle'),
      text: this.t('planAdmin.deleteText'),
      action: this.t('keys.delete'),
      name,
    }),
  });
}
