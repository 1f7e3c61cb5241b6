import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { ActivatedRoute, RouterLink } from '@angular/router';
import type { SavedViewView, ViewList } from '@weir/shared/watch/saved-views';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import { Icon } from '../design/icon/icon';
import type { ViewDialogData } from './view-dialog';
import { viewParameters, viewQuery } from './view-query';
import { ViewsState } from './views-state';

/** The menu of a list's saved views: filters and an order that its reader has named. */
@Component({
  selector: 'weir-saved-views',
  imports: [Icon, MatButton, MatMenu, MatMenuItem, MatMenuTrigger, RouterLink],
  template: `
    <button matButton type="button" data-testid="views" [matMenuTriggerFor]="menu">
      {{ state.active()?.name ?? t('views.title') }}
      <weir-icon matButtonIcon iconPositionEnd name="chevronDown" />
    </button>
    <mat-menu #menu="matMenu" xPosition="before">
      @for (view of state.views(); track view.id) {
        <a
          mat-menu-item
          [routerLink]="[]"
          [queryParams]="parametersOf(view)"
          [attr.aria-current]="view.id === state.active()?.id ? 'true' : null"
          (click)="state.noteOpened(view)"
        >
          <weir-icon name="check" [class.off]="view.id !== state.active()?.id" /> {{ view.name }}
        </a>
      } @empty {
        <p class="none small soft">{{ t('views.none') }}</p>
      }
      @if (state.changed(); as view) {
        <button mat-menu-item class="first" (click)="replaceFilters(view)">
          {{ t('views.update', { name: view.name }) }}
        </button>
      }
      @if (state.active(); as view) {
        <button mat-menu-item class="first" (click)="rename(view)">
          {{ t('views.renameAction') }}
        </button>
        <button mat-menu-item (click)="delete(view)">{{ t('views.deleteAction') }}</button>
      } @else {
        <button
          mat-menu-item
          [class.first]="!state.changed()"
          [disabled]="state.query() === ''"
          (click)="create()"
        >
          {{ t('views.saveAction') }}
        </button>
      }
    </mat-menu>
  `,
  styles: `
    .off {
      visibility: hidden;
    }

    .first {
      border-top: 1px solid var(--weir-line);
    }

    .none {
      max-width: 16rem;
      padding: var(--weir-gap-2) var(--weir-gap-3);
    }
  `,
})
export class SavedViews {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #parameters = toSignal(inject(ActivatedRoute).queryParams);
  protected readonly t = inject(I18n).t;
  readonly list = input.required<ViewList>();
  protected readonly state = new ViewsState(
    inject(Api),
    () => this.list(),
    computed(() => viewQuery(new URLSearchParams(this.#parameters() ?? {}))),
  );

  constructor() {
    effect(() => {
      this.list();
      untracked(() => void this.state.load());
    });
  }

  protected parametersOf({ query }: SavedViewView): Record<string, string> {
    return viewParameters(query);
  }

  protected create(): Promise<void> {
    return this.#name({ view: undefined, save: (name) => this.state.create(name) });
  }

  protected rename(view: SavedViewView): Promise<void> {
    return this.#name({ view, save: (name) => this.state.rename(view, name) });
  }

  protected async replaceFilters(view: SavedViewView): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.state.replaceFilters(view);
      this.#toasts.info(this.t('views.saved', { name: view.name }));
    });
  }

  protected async delete(view: SavedViewView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('views.deleteTitle', { name: view.name }),
      text: this.t('views.deleteText'),
      action: this.t('action.delete'),
      destructive: true,
      work: () => this.state.delete(view),
    });
  }

  async #name(data: ViewDialogData): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { ViewDialog } = await import('./view-dialog');
      const saved = await this.#dialogs.open<ViewDialogData, SavedViewView>(ViewDialog, { data });
      if (saved !== undefined) this.#toasts.info(this.t('views.saved', { name: saved.name }));
    });
  }
}
