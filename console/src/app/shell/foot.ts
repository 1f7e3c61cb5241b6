import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';

/** The footer: facts that a visitor may want before opening an account. */
@Component({
  selector: 'weir-foot',
  imports: [RouterLink],
  template: `
    @if (site.settings(); as settings) {
      @if (settings.hasTerms || settings.hasPrivacy || settings.supportUrl) {
        <footer class="cluster small">
          @if (settings.hasTerms) {
            <a routerLink="/terms">{{ t('legal.terms') }}</a>
          }
          @if (settings.hasPrivacy) {
            <a routerLink="/privacy">{{ t('legal.privacy') }}</a>
          }
          @if (settings.supportUrl; as address) {
            <a [href]="address" target="_blank" rel="noopener noreferrer">{{ t('nav.help') }}</a>
          }
        </footer>
      }
    }
  `,
  styles: `
    footer {
      justify-content: center;
      gap: var(--weir-gap-2) var(--weir-gap-5);
      padding: var(--weir-gap-4);
      border-top: 1px solid var(--weir-line);
    }
  `,
})
export class Foot {
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
}
