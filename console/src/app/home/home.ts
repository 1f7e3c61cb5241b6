import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { Loadable } from '../core/state/loadable';
import { FailureNote } from '../design/feedback/failure-note';
import { Skeleton } from '../design/feedback/skeleton';
import { Markdown } from '../markdown/markdown';

/** More would hide what is below; all of them are one link away. */
const MODELS_SHOWN_MAX = 12;

/** Shows a visitor first what this service is, what it costs, and how to begin. */
@Component({
  selector: 'weir-home',
  imports: [FailureNote, Markdown, MatButton, RouterLink, Skeleton],
  templateUrl: './home.html',
  styleUrl: './home.scss',
})
export class Home {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly site = inject(Site);
  protected readonly welcome = new Loadable(() =>
    this.#api.call('getSiteText', { query: { name: 'welcome' } }),
  );
  protected readonly pricing = new Loadable(() =>
    this.#api.call('getPricing', { query: { limit: MODELS_SHOWN_MAX } }),
  );
  protected readonly models = computed(() => this.pricing.value()?.models ?? []);

  constructor() {
    void Promise.all([this.welcome.load(), this.pricing.load()]);
  }
}
