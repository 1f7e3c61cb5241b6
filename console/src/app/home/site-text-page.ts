import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { PAGE_PARTS } from '../design/page/page-parts';
import { Markdown } from '../markdown/markdown';

/** The terms or the privacy notice. */
@Component({
  selector: 'weir-site-text-page',
  imports: [Markdown, PAGE_PARTS],
  template: `
    <weir-page [heading]="t(heading())">
      @if (text.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="text.load()" />
      }
      @if (text.waiting()) {
        <div class="card"><weir-skeleton height="20rem" /></div>
      }
      @if (text.value(); as value) {
        @if (value.markdown.trim() === '') {
          <div class="card">
            <weir-empty-state icon="audit" [heading]="t('legal.none')" />
          </div>
        } @else {
          <div class="card words"><weir-markdown [text]="value.markdown" /></div>
        }
      }
    </weir-page>
  `,
  styles: `
    .words {
      max-width: 50rem;
    }
  `,
})
export class SiteTextPage {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  /** The name in the route's data. */
  readonly name = input.required<'terms' | 'privacy'>();
  protected readonly heading = computed(() => `legal.${this.name()}` as const);
  protected readonly text = new Loadable(() =>
    this.#api.call('getSiteText', { query: { name: this.name() } }),
  );

  constructor() {
    effect(() => {
      this.name();
      untracked(() => {
        this.text.clear();
        void this.text.load();
      });
    });
  }
}
