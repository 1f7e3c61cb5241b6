import { Component, DestroyRef, DOCUMENT, inject, input, signal, type Signal } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { I18n } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';

/** A list, or a page of figures, that is fetched again and again. */
export interface LiveSource {
  /** Things that were found and are not shown yet. */
  readonly newer: Signal<number>;
  readonly loading: Signal<boolean>;
  /** Looks without showing that it does. */
  peek(): Promise<void>;
  showNewer(): void;
  load(): Promise<void>;
}

/** Below this the top of the page is out of sight, and rows that come in would move the others. */
const TOP_PX = 160;
/** A person who points at a row, or is on it with the keyboard, must not press another one. */
const IN_USE = 'weir-data-table:is(:hover, :focus-within), mat-dialog-container';

/**
 * Keeps what a page shows up to date: looks every few seconds while the page is seen, until it is
 * paused. New rows are shown at once at the top of the page, else they are counted and wait for a
 * press.
 */
@Component({
  selector: 'weir-live-bar',
  imports: [Icon, MatButton, MatIconButton],
  template: `
    @if (source().newer(); as count) {
      <button matButton="tonal" type="button" data-testid="newer" (click)="source().showNewer()">
        {{ t('live.newer', { count }) }}
      </button>
    }
    <button
      matIconButton
      type="button"
      data-testid="pause"
      [attr.aria-label]="t(paused() ? 'live.resume' : 'live.pause')"
      [title]="t(paused() ? 'live.resume' : 'live.pause')"
      (click)="toggle()"
    >
      <weir-icon [name]="paused() ? 'play' : 'pause'" />
    </button>
    <button
      matIconButton
      type="button"
      data-testid="refresh"
      [attr.aria-label]="t('requests.refresh')"
      [title]="t('requests.refresh')"
      [disabled]="source().loading()"
      (click)="refresh()"
    >
      <weir-icon name="rotate" />
    </button>
    <span class="unseen" role="status">{{ paused() ? t('live.paused') : '' }}</span>
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: var(--weir-gap-1);
    }
  `,
})
export class LiveBar {
  readonly #document = inject(DOCUMENT);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  protected readonly t = inject(I18n).t;
  protected readonly paused = signal(false);
  readonly source = input.required<LiveSource>();
  readonly everyMs = input(3_000);

  constructor() {
    inject(DestroyRef).onDestroy(() => {
      this.#left = true;
      clearTimeout(this.#timer);
    });
    // After the first inputs are there.
    this.#timer = setTimeout(() => void this.#look(), 0);
  }

  protected toggle(): void {
    this.paused.update((paused) => !paused);
    if (!this.paused()) this.source().showNewer();
  }

  protected refresh(): void {
    void this.source().load();
  }

  /** The next look begins after this one has ended: a slow server is not asked by several. */
  async #look(): Promise<void> {
    const source = this.source();
    if (!this.paused() && this.#document.visibilityState === 'visible') {
      await source.peek();
      if (!this.paused() && this.#isAtRest()) source.showNewer();
    }
    if (this.#left) return;
    this.#timer = setTimeout(() => void this.#look(), this.everyMs());
  }

  #isAtRest(): boolean {
    const top = this.#document.defaultView?.scrollY ?? 0;
    return top < TOP_PX && this.#document.querySelector(IN_USE) === null;
  }
}
