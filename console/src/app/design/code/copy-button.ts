import { Component, computed, DestroyRef, DOCUMENT, inject, input, signal } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { I18n } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';
import { copyText } from './clipboard';

const CONFIRMED_MS = 2_000;

type CopyState = 'idle' | 'copied' | 'refused';

/** Copies a text and says so. `what` names it for people who listen. */
@Component({
  selector: 'weir-copy-button',
  imports: [Icon, MatButton, MatIconButton],
  template: `
    @if (wide()) {
      <button [matButton]="look()" type="button" (click)="copy()">
        <weir-icon matButtonIcon [name]="icon()" />{{ words() }}
      </button>
    } @else {
      <button
        matIconButton
        class="small-button"
        type="button"
        [attr.aria-label]="label()"
        [attr.title]="label()"
        (click)="copy()"
      >
        <weir-icon [name]="icon()" />
      </button>
    }
    <span class="unseen" role="status">{{ state() === 'idle' ? '' : words() }}</span>
  `,
  styles: `
    :host {
      display: inline-flex;
      position: relative;
    }

    .small-button {
      --mat-icon-button-state-layer-size: 32px;
      width: 32px;
      height: 32px;
      padding: 6px;
      color: var(--weir-text-soft);
    }
  `,
})
export class CopyButton {
  readonly #document = inject(DOCUMENT);
  readonly #state = signal<CopyState>('idle');
  #timer: ReturnType<typeof setTimeout> | undefined;
  protected readonly t = inject(I18n).t;

  readonly text = input.required<string>();
  readonly what = input.required<string>();
  /** With a word next to the picture. */
  readonly wide = input(false);
  readonly look = input<'filled' | 'tonal' | 'outlined'>('tonal');

  protected readonly state = this.#state.asReadonly();
  protected readonly icon = computed(() => (this.#state() === 'copied' ? 'check' : 'copy'));
  protected readonly label = computed(() => this.t('copy.what', { what: this.what() }));
  protected readonly words = computed(() => {
    const state = this.#state();
    if (state === 'copied') return this.t('copy.done');
    return state === 'refused' ? this.t('copy.refused') : this.t('copy.action');
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#timer));
  }

  protected async copy(): Promise<void> {
    const done = await copyText(this.text(), this.#document);
    this.#state.set(done ? 'copied' : 'refused');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#state.set('idle'), CONFIRMED_MS);
  }
}
