import { effect, inject, Service, signal } from '@angular/core';
import { Title } from '@angular/platform-browser';
import { TitleStrategy, type RouterStateSnapshot } from '@angular/router';
import { I18n, type PlainKey } from '../core/i18n/i18n';
import { Site } from '../core/session/site';

/** Routes name their title by message key, so that the window's title follows the language. */
@Service()
export class PageTitle extends TitleStrategy {
  readonly #title = inject(Title);
  readonly #i18n = inject(I18n);
  readonly #site = inject(Site);
  readonly #key = signal<PlainKey | undefined>(undefined);

  constructor() {
    super();
    effect(() => {
      const key = this.#key();
      const site = this.#site.settings()?.siteName ?? 'Weir';
      this.#title.setTitle(key === undefined ? site : `${this.#i18n.t(key)} · ${site}`);
    });
  }

  override updateTitle(snapshot: RouterStateSnapshot): void {
    this.#key.set(this.buildTitle(snapshot) as PlainKey | undefined);
  }
}
