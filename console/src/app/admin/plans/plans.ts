import { Component, inject } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import type { PlanDetail, PlanView } from '@weir/shared/plans';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Chip } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { PlanDialog, type PlanDialogData } from './plan-dialog';
import { planAdminLinks } from './plan-links';

@Component({
  selector: 'weir-admin-plans',
  imports: [
    Chip,
    EmptyState,
    FailureNote,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Money,
    Page,
    Skeleton,
    SubNav,
  ],
  template: `
    <weir-page [heading]="t('nav.plans')" [intro]="t('planAdmin.intro')">
      <button pageAction matButton="filled" type="button" data-testid="create" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('planAdmin.create') }}
      </button>
      <weir-sub-nav [label]="t('nav.plans')" [links]="links()" />
      @if (plans.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="plans.load()" />
      }
      <div class="card card-flush rows">
        @if (plans.waiting()) {
          <div><weir-skeleton width="60%" height="2.75rem" /></div>
        }
        @for (plan of plans.value(); track plan.id) {
          <div class="split">
            <div class="words">
              <p class="cluster">
                <button type="button" class="row-link" (click)="edit(plan)">{{ plan.name }}</button>
                <span>
                  <weir-money class="strong" [usd]="plan.priceUsd" />
                  <span class="small soft">
                    / {{ t('plans.days', { count: plan.periodDays }) }}</span
                  >
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
            <button
              matIconButton
              type="button"
              class="row-button"
              [matMenuTriggerFor]="menu"
              [attr.aria-label]="t('action.more', { name: plan.name })"
            >
              <weir-icon name="more" />
            </button>
            <mat-menu #menu="matMenu" xPosition="before">
              <button mat-menu-item type="button" (click)="edit(plan)">
                <weir-icon name="edit" />{{ t('action.edit') }}
              </button>
              <button mat-menu-item type="button" (click)="delete(plan)">
                <weir-icon name="trash" />{{ t('keys.deleteAction') }}
              </button>
            </mat-menu>
          </div>
        }
        @if (plans.value()?.length === 0) {
          <weir-empty-state
            icon="plans"
            [heading]="t('planAdmin.none')"
            [hint]="t('planAdmin.noneHint')"
          >
            <button matButton="filled" type="button" (click)="create()">
              {{ t('planAdmin.create') }}
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
export class AdminPlans {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly links = planAdminLinks();
  protected readonly plans = new Loadable(async () => (await this.#api.call('listPlans')).data);

  constructor() {
    void this.plans.load();
  }

  protected windowKey<Window extends string>(window: Window): `window.${Window}` {
    return `window.${window}`;
  }

  protected async create(): Promise<void> {
    await this.#open({});
  }

  protected async edit(plan: PlanView): Promise<void> {
    try {
      const params = { planId: plan.id };
      await this.#open({ plan: await this.#api.callTagged('getPlan', { params }) });
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  async #open(data: PlanDialogData): Promise<void> {
    const saved = await this.#dialogs.open<PlanDialogData, PlanDetail>(PlanDialog, {
      data,
      wide: true,
    });
    if (saved === undefined) return;
    this.#toasts.info(this.t('catalog.saved', { name: saved.name }));
    await this.plans.load();
  }

  protected async delete(plan: PlanView): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      heading: this.t('planAdmin.deleteTitle'),
      text: this.t('planAdmin.deleteText'),
      action: this.t('keys.delete'),
      name: plan.name,
      destructive: true,
      work: () => this.#api.call('deletePlan', { params: { planId: plan.id } }),
    });
    if (deleted) await this.plans.load();
  }
}
