import { Component, computed, inject, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { mayOpen } from '../core/session/page-needs';
import { Session } from '../core/session/session';
import { Skeleton } from '../design/feedback/skeleton';
import { Money } from '../design/text/money';
import { Logo } from './logo';
import { NavList } from './nav-list';
import { ADMIN_LINKS, MORE_LINKS, USER_LINKS, type NavLink } from './nav-links';

/** The way around, on the left of wide pages and in a drawer on narrow ones. */
@Component({
  selector: 'weir-side-nav',
  imports: [Logo, Money, NavList, RouterLink, Skeleton],
  template: `
    <nav [attr.aria-label]="t('shell.navigation')">
      <div class="top"><weir-logo /></div>
      <div class="links">
        <weir-nav-list [links]="userLinks()" (followed)="followed.emit()" />
        <weir-nav-list
          [heading]="t('shell.you')"
          [links]="moreLinks()"
          (followed)="followed.emit()"
        />
        @if (adminLinks().length > 0) {
          <weir-nav-list
            [heading]="t('shell.operate')"
            [links]="adminLinks()"
            (followed)="followed.emit()"
          />
        }
      </div>
      @if (session.permits('billing.read')) {
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
  protected readonly userLinks = computed(() => this.#open(USER_LINKS));
  protected readonly moreLinks = computed(() => this.#open(MORE_LINKS));
  protected readonly adminLinks = computed(() => this.#open(ADMIN_LINKS));
  readonly followed = output();

  #open(links: readonly NavLink[]): readonly NavLink[] {
    return links.filter(({ path }) => mayOpen(this.session.standing(), path));
  }
}
