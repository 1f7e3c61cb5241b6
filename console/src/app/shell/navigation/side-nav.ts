import { Component, computed, inject, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { I18n } from '../../core/i18n/i18n';
import { OwnAccount } from '../../core/session/own-account';
import { Session } from '../../core/session/session';
import { Skeleton } from '../../design/feedback/skeleton';
import { Money } from '../../design/text/money';
import { Logo } from '../logo';
import { NavList } from './nav-list';
import { currentUrl } from '../current-url';
import { menuOf, worldOf } from './nav-links';

/** The way around, on the left of wide pages and in a drawer on narrow ones. */
@Component({
  selector: 'weir-side-nav',
  imports: [Logo, Money, NavList, RouterLink, Skeleton],
  template: `
    <nav [attr.aria-label]="t('shell.navigation')">
      <div class="top"><weir-logo /></div>
      @if (operatorHome(); as home) {
        <div class="worlds">
          <a
            routerLink="/dashboard"
            data-testid="world-customer"
            [class.chosen]="world() === 'customer'"
            [attr.aria-current]="world() === 'customer' ? 'true' : null"
            >{{ t('shell.ownAccount') }}</a
          >
          <a
            data-testid="world-operator"
            [routerLink]="home"
            [class.chosen]="world() === 'operator'"
            [attr.aria-current]="world() === 'operator' ? 'true' : null"
            >{{ t('shell.operate') }}</a
          >
        </div>
      }
      <div class="links">
        @for (group of menu(); track group.heading) {
          <weir-nav-list
            [heading]="group.heading ? t(group.heading) : ''"
            [links]="group.links"
            [url]="url()"
            (followed)="followed.emit()"
          />
        }
      </div>
      @if (world() === 'customer' && session.permits('billing.read')) {
        <a class="balance" routerLink="/billing" (click)="followed.emit()">
          <span class="small soft">{{ t('shell.balance') }}</span>
          <span class="amount">
            @if (account.value()?.balance; as balance) {
              <weir-money [usd]="balance.availableUsd" />
            } @else if (account.waiting()) {
              <weir-skeleton width="4rem" />
            } @else {
              {{ t('shell.balanceUnknown') }}
            }
          </span>
        </a>
      }
    </nav>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      height: 100%;
      background: var(--weir-surface);
    }

    .top {
      padding: var(--weir-gap-4) var(--weir-gap-5) var(--weir-gap-3);
    }

    nav {
      display: flex;
      flex: 1;
      flex-direction: column;
      min-height: 0;
    }

    .worlds {
      display: flex;
      margin: 0 var(--weir-gap-3) var(--weir-gap-1);
      padding: 2px;
      border-radius: var(--weir-radius-m);
      background: var(--weir-sunken);
    }

    .worlds a {
      flex: 1;
      padding: var(--weir-gap-1) var(--weir-gap-2);
      border-radius: calc(var(--weir-radius-m) - 2px);
      color: var(--weir-text-soft);
      font-size: 0.875rem;
      font-weight: 550;
      text-align: center;
      text-decoration: none;
      white-space: nowrap;
    }

    .worlds .chosen {
      background: var(--weir-raised);
      box-shadow: 0 1px 2px rgb(0 0 0 / 12%);
      color: var(--weir-text);
    }

    .links {
      flex: 1;
      overflow-y: auto;
      padding: var(--weir-gap-1) var(--weir-gap-3);
    }

    .balance {
      display: flex;
      align-items: baseline;
      justify-content: space-between;
      margin: var(--weir-gap-3);
      padding: var(--weir-gap-3) var(--weir-gap-3);
      border-radius: var(--weir-radius-m);
      background: var(--weir-sunken);
      color: var(--weir-text);
      text-decoration: none;
    }

    .amount {
      font-weight: 650;
    }
  `,
})
export class SideNav {
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly account = inject(OwnAccount);
  protected readonly url = currentUrl();
  protected readonly world = computed(() => worldOf(this.url(), this.session.standing()));
  protected readonly menu = computed(() => menuOf(this.world(), this.session.standing()));
  /** Undefined for customers, who have one menu. */
  protected readonly operatorHome = computed(
    () => menuOf('operator', this.session.standing())[0]?.links[0]?.path,
  );
  readonly followed = output();
}
