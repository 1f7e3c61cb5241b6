import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { MatButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Session } from '../../core/session/session';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';

/** The account that the page is about, and the way to others. Unseen for people with one alone. */
@Component({
  selector: 'weir-account-switch',
  imports: [Icon, MatButton, MatMenuModule, RouterLink],
  template: `
    @if (session.memberships().length > 1) {
      <button
        matButton
        type="button"
        class="switch"
        data-testid="account-switch"
        [matMenuTriggerFor]="menu"
        [attr.aria-label]="
          t('shell.actingIn', { account: session.membership()?.accountName ?? '' })
        "
      >
        <weir-icon matButtonIcon name="accounts" />
        <span class="clip">{{ session.membership()?.accountName }}</span>
      </button>
    }
    <mat-menu #menu="matMenu">
      @for (one of session.memberships(); track one.accountId) {
        <button
          mat-menu-item
          type="button"
          role="menuitemradio"
          [attr.aria-checked]="one.accountId === session.membership()?.accountId"
          (click)="choose(one.accountId)"
        >
          @if (one.accountId === session.membership()?.accountId) {
            <weir-icon name="check" />
          } @else {
            <weir-icon name="accounts" />
          }
          {{ one.accountName }} <span class="small soft">{{ t(roleKey(one.role)) }}</span>
        </button>
      }
      <a mat-menu-item routerLink="/account/accounts">
        <weir-icon name="settings" /> {{ t('accountSwitch.manage') }}
      </a>
    </mat-menu>
  `,
  styles: `
    .switch {
      max-width: min(16rem, 40vw);
    }
  `,
})
export class AccountSwitch {
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly roleKey = keyIn('memberRole');

  protected async choose(accountId: string): Promise<void> {
    if (accountId === this.session.membership()?.accountId) return;
    await this.#toasts.reporting(() => this.session.switchTo(accountId));
  }
}
