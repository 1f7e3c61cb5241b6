import { effect } from '@angular/core';
import { preferredLanguage, type I18n, type Language } from '../../core/i18n/i18n';
import { browserStorage } from '../../core/state/browser-storage';
import type { Session } from '../../core/session/session';
import type { Theme, ThemeChoice } from '../../core/theme/theme';

const LANGUAGE_STORAGE_KEY = 'weir.language';

function isLanguage(value: string | null): value is Language {
  return value === 'en' || value === 'zh-CN';
}

/** The language to start in: the one chosen here before, else the browser's. */
export function openingLanguage(document: Document): Language {
  const stored = browserStorage(document).getItem(LANGUAGE_STORAGE_KEY);
  if (isLanguage(stored)) return stored;
  return preferredLanguage(document.defaultView?.navigator.languages ?? []);
}

/** Language and theme: chosen on this device, and with the user who is logged in. */
export class Preferences {
  readonly #document: Document;
  readonly #i18n: I18n;
  readonly #theme: Theme;
  readonly #session: Session;

  constructor(parts: {
    readonly document: Document;
    readonly i18n: I18n;
    readonly theme: Theme;
    readonly session: Session;
  }) {
    this.#document = parts.document;
    this.#i18n = parts.i18n;
    this.#theme = parts.theme;
    this.#session = parts.session;
  }

  async chooseLanguage(language: Language): Promise<void> {
    await this.#showLanguage(language);
    await this.#remember({ language });
  }

  async chooseTheme(theme: ThemeChoice): Promise<void> {
    this.#theme.choose(theme);
    await this.#remember({ theme });
  }

  /**
   * Applies the user's choices from another device after the login. Needs an injection
   * context.
   */
  followUser(): void {
    let known: string | undefined;
    effect(() => {
      const user = this.#session.user();
      if (user === undefined || user.id === known) {
        known = user?.id;
        return;
      }
      known = user.id;
      this.#theme.choose(user.theme);
      if (user.language !== null) void this.#showLanguage(user.language);
    });
  }

  async #showLanguage(language: Language): Promise<void> {
    browserStorage(this.#document).setItem(LANGUAGE_STORAGE_KEY, language);
    await this.#i18n.use(language);
  }

  async #remember(preferences: { language?: Language; theme?: ThemeChoice }): Promise<void> {
    if (this.#session.user() === undefined) return;
    try {
      await this.#session.updatePreferences(preferences);
    } catch {
      // The choice holds on this device; that it did not reach the server is not worth a complaint.
    }
  }
}
