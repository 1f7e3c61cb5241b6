import { DOCUMENT } from '@angular/common';
import {
  Component,
  computed,
  type ElementRef,
  EnvironmentInjector,
  inject,
  linkedSignal,
  signal,
  viewChild,
} from '@angular/core';
import { MatDialogRef } from '@angular/material/dialog';
import { Router } from '@angular/router';
import { isPartOfUuid } from '@weir/shared/watch/request-ids';
import { Api } from '../core/api/api';
import { failureOf } from '../core/api/api-failure';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Site } from '../core/session/site';
import { Toasts } from '../design/feedback/toasts';
import { Icon } from '../design/icon/icon';
import { PREFERENCES } from '../shell/preferences/preferences-token';
import { allCommands, findCommands, type Command, type CommandAct } from './commands';
import { hitActs } from './hit-acts';
import { hitCommand, PaletteSearch } from './palette-search';

/**
 * Every page and many actions by name. A combobox: the focus stays in the field while the arrow
 * keys move through the list, so that typing always narrows it.
 */
@Component({
  selector: 'weir-palette',
  imports: [Icon],
  templateUrl: './palette.html',
  styleUrl: './palette.scss',
})
export class Palette {
  readonly #dialog = inject<MatDialogRef<Palette>>(MatDialogRef);
  readonly #router = inject(Router);
  /** The application’s injector: a command outlives the palette. */
  readonly #injector = inject(EnvironmentInjector);
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #preferences = inject(PREFERENCES);
  readonly #session = inject(Session);
  readonly #site = inject(Site);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly list = viewChild.required<ElementRef<HTMLElement>>('list');
  protected readonly typed = signal('');

  readonly #commands = computed(() =>
    allCommands(this.t, {
      standing: this.#session.standing(),
      cardPayments: this.#site.settings()?.cardPayments ?? false,
      supportUrl: this.#site.settings()?.supportUrl ?? '',
    }),
  );
  protected readonly search = new PaletteSearch(inject(Api));
  protected readonly found = computed(() => [
    ...findCommands(this.#commands(), this.typed()),
    ...this.search.hits().flatMap((hit) => [
      hitCommand(hit, { t: this.t, isAdmin: this.#session.isAdmin() }),
      ...hitActs(hit, {
        t: this.t,
        isAdmin: this.#session.isAdmin(),
        may: (routeId) => this.#session.may(routeId),
        hasCards: this.#site.settings()?.cardPayments === true,
      }),
    ]),
  ]);
  /** The text if nothing is found: ids are only found whole. */
  protected readonly noneWords = computed(() => {
    if (this.search.searching()) return 'palette.searching' as const;
    return isPartOfUuid(this.typed()) ? ('requests.findWhole' as const) : ('palette.none' as const);
  });
  /** The first again whenever the list changes. */
  protected readonly active = linkedSignal({ source: this.found, computation: () => 0 });
  protected readonly activeId = computed(() => {
    const command = this.found()[this.active()];
    return command === undefined ? null : this.idOf(command);
  });

  protected idOf(command: Command): string {
    return `weir-${command.id.replace(/[^a-z0-9]+/gi, '-')}`;
  }

  protected type(event: Event): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.typed.set(event.target.value);
    void this.search.look(event.target.value);
  }

  protected onKey(event: KeyboardEvent): void {
    const { length } = this.found();
    if (length === 0) return;
    const steps: Readonly<Record<string, (at: number) => number>> = {
      ArrowDown: (at) => (at + 1) % length,
      ArrowUp: (at) => (at - 1 + length) % length,
      PageDown: (at) => Math.min(at + 8, length - 1),
      PageUp: (at) => Math.max(at - 8, 0),
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.active.update(step);
      this.#reveal();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const command = this.found()[this.active()];
      if (command !== undefined) this.run(command);
    }
  }

  #reveal(): void {
    const option = this.list().nativeElement.children[this.active()];
    option?.scrollIntoView({ block: 'nearest' });
  }

  protected run(command: Command): void {
    this.#dialog.close();
    void this.#act(command.act);
  }

  async #act(act: CommandAct): Promise<void> {
    try {
      switch (act.kind) {
        case 'go':
          await this.#router.navigate([act.path], { queryParams: act.query ?? {} });
          return;
        case 'visit':
          this.#window?.open(act.address, '_blank', 'noopener');
          return;
        case 'theme':
          await this.#preferences.chooseTheme(act.theme);
          return;
        case 'language':
          await this.#preferences.chooseLanguage(act.language);
          return;
        case 'hit': {
          const { performAct } = await import('./perform-act');
          await performAct(act.act, act.hit, this.#injector);
          return;
        }
        case 'shortcuts': {
          const { openShortcuts } = await import('../shell/preferences/shortcuts-dialog');
          openShortcuts(this.#injector);
          return;
        }
        case 'log_out':
          await this.#session.logOut();
          await this.#router.navigateByUrl('/login');
          return;
      }
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
