import { Component, computed, DOCUMENT, inject, input, signal } from '@angular/core';
import { MatIconButton } from '@angular/material/button';
import { I18n } from '../core/i18n/i18n';
import { browserStorage } from '../core/state/browser-storage';
import { Note } from '../design/feedback/note';
import { Icon } from '../design/icon/icon';
import { Markdown } from '../markdown/markdown';

const CLOSED_STORAGE_KEY = 'weir.announcement-closed';

/** Shows the operator's announcement until it is closed. Another text is another announcement. */
@Component({
  selector: 'weir-announcement',
  imports: [Icon, Markdown, MatIconButton, Note],
  template: `
    @if (shown()) {
      <weir-note data-testid="announcement">
        <div class="line">
          <weir-markdown class="words" [text]="text()" />
          <button
            matIconButton
            type="button"
            class="close"
            data-testid="close-announcement"
            [attr.aria-label]="t('shell.closeAnnouncement')"
            (click)="close()"
          >
            <weir-icon name="close" />
          </button>
        </div>
      </weir-note>
    }
  `,
  styles: `
    weir-note {
      max-width: 72rem;
      width: calc(100% - 2 * var(--weir-gap-6));
      margin: var(--weir-gap-3) auto 0;
    }

    @media (width < 1200px) {
      weir-note {
        width: calc(100% - 2 * var(--weir-gap-5));
      }
    }

    @media (width < 720px) {
      weir-note {
        width: calc(100% - 2 * var(--weir-gap-4));
      }
    }

    .line {
      display: flex;
      align-items: flex-start;
      gap: var(--weir-gap-2);
    }

    .words {
      flex: 1;
    }

    .close {
      flex: none;
      --mat-icon-button-state-layer-size: 32px;
      width: 32px;
      height: 32px;
      margin: -4px -6px -4px 0;
      padding: 6px;
    }
  `,
})
export class Announcement {
  readonly #storage = browserStorage(inject(DOCUMENT));
  readonly #closed = signal(this.#storage.getItem(CLOSED_STORAGE_KEY));
  protected readonly t = inject(I18n).t;
  readonly text = input.required<string>();
  protected readonly shown = computed(() => this.#closed() !== this.text());

  protected close(): void {
    this.#closed.set(this.text());
    this.#storage.setItem(CLOSED_STORAGE_KEY, this.text());
  }
}
