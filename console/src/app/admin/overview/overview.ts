import { DOCUMENT } from '@angular/common';
import { Component, computed, DestroyRef, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { StatTile } from '../../design/page/stat-tile';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { HEALTH_WORDS, OverviewState, THREAD_WORDS, troubles } from './overview-state';

const LOOK_AGAIN_MS = 5_000;

@Component({
  selector: 'weir-overview',
  imports: [StatTile, PAGE_PARTS],
  templateUrl: './overview.html',
})
export class OverviewPage {
  readonly #document = inject(DOCUMENT);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly formatter = inject(Formatter);
  protected readonly state = new OverviewState(inject(Api));
  protected readonly health = HEALTH_WORDS;
  protected readonly troubles = computed(() => {
    const overview = this.state.value();
    return overview === undefined ? [] : troubles(overview);
  });
  protected readonly errorShare = computed(() => {
    const traffic = this.state.value()?.traffic;
    if (traffic === undefined || traffic.requests === 0) return this.formatter.percent(0);
    return this.formatter.percent(traffic.failures / traffic.requests);
  });

  constructor() {
    void this.state.load();
    const timer = setInterval(() => {
      if (this.#document.visibilityState === 'visible') void this.state.loadWhenIdle();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  /** What the traffic covers, as the server says. */
  protected windowSpan(): string {
    return this.formatter.span((this.state.value()?.traffic.windowSeconds ?? 60) * 1_000);
  }

  protected threadState(state: string): string {
    const words = THREAD_WORDS.get(state);
    return words === undefined ? state : this.t(words);
  }

  protected duration(ms: number | null | undefined): string {
    return ms == null ? '–' : this.formatter.duration(ms);
  }
}
