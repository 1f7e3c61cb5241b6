import { Component, computed, inject } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { LANGUAGES, THEMES } from '@weir/shared/people/users';
import { I18n, LANGUAGE_NAMES, type Language } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Site } from '../../core/session/site';
import { Theme, type ThemeChoice } from '../../core/theme/theme';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';
import type { IconName } from '../../design/icon/icon-paths';
import { PREFERENCES } from '../preferences/preferences-token';

const THEME_ICONS: Readonly<Record<ThemeChoice, IconName>> = {
  system: 'system',
  light: 'sun',
  dark: 'moon',
};

/** Theme and language for everyone; account and log-out for the logged-in user. */
@Component({
  selector: 'weir-user-menu',
  imports: [Icon, MatIconButton, MatMenuModule, RouterLink],
  templateUrl: './user-menu.html',
  styles: `
    .who {
      padding: var(--weir-gap-2) var(--weir-gap-4) var(--weir-gap-3);
      max-width: 18rem;
    }

    .initial {
      display: grid;
      place-items: center;
      width: 1.75rem;
      height: 1.75rem;
      border-radius: 50%;
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
      font-size: 0.8125rem;
      font-weight: 650;
      line-height: 1;
    }

    .avatar-button {
      padding: 0;
      display: inline-grid;
      place-items: center;
    }

    .chosen {
      margin-inline-start: auto;
      padding-inline-start: var(--weir-gap-4);
      color: var(--weir-brand);
    }
  `,
})
export class UserMenu {
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);
  readonly #preferences = inject(PREFERENCES);
  protected readonly i18n = inject(I18n);
  protected readonly t = this.i18n.t;
  protected readonly session = inject(Session);
  protected readonly site = inject(Site);
  protected readonly theme = inject(Theme);
  protected readonly themes = THEMES;
  protected readonly languages = LANGUAGES;
  protected readonly languageNames = LANGUAGE_NAMES;
  protected readonly themeIcons = THEME_ICONS;
  protected readonly initial = computed(() =>
    (this.session.user()?.email ?? '').charAt(0).toUpperCase(),
  );

  protected chooseTheme(choice: ThemeChoice): void {
    void this.#preferences.chooseTheme(choice);
  }

  protected chooseLanguage(language: Language): void {
    void this.#preferences.chooseLanguage(language);
  }

  protected async logOut(): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.session.logOut();
      await this.#router.navigateByUrl('/login');
    });
  }
}
