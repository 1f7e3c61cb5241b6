import { DOCUMENT } from '@angular/common';
import { BreakpointObserver } from '@angular/cdk/layout';
import {
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  viewChild,
} from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatDialog } from '@angular/material/dialog';
import { NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { distinctUntilChanged, filter, map, skip } from 'rxjs';
import { CLOCK_TICK_MS, Formatter } from './core/format/formatter';
import { I18n } from './core/i18n/i18n';
import { followSession, OwnAccount } from './core/session/own-account';
import { Session } from './core/session/session';
import { Site } from './core/session/site';
import { browserStorage } from './core/state/browser-storage';
import { OperationKeys } from './core/state/operation-keys';
import { wearBrand } from './core/theme/wear-brand';
import { Dialogs } from './design/dialog/dialogs';
import { FailureNote } from './design/feedback/failure-note';
import { Icon } from './design/icon/icon';
import { AccountSwitch } from './shell/navigation/account-switch';
import { Announcement } from './shell/announcement';
import { Foot } from './shell/foot';
import { followOtherTabs } from './shell/follow-other-tabs';
import { keepFocus } from './shell/keep-focus';
import { leaveWithDialogs } from './shell/leave-with-dialogs';
import { Logo } from './shell/logo';
import { UnsavedEdits } from './shell/unsaved-edits';
import { FreshKeys } from './keys/fresh-keys';
import { TemporaryKeys } from './keys/temporary-keys';
import { openPaletteOn } from './palette/palette-key';
import { PREFERENCES } from './shell/preferences/preferences-token';
import { listenForShortcuts } from './shell/preferences/shortcuts';
import { SideNav } from './shell/navigation/side-nav';
import { UserMenu } from './shell/navigation/user-menu';

/** From this width on the navigation is next to the page. */
const WIDE = '(width >= 960px)';

/** The frame around every page. */
@Component({
  selector: 'weir-app',
  imports: [
    Announcement,
    FailureNote,
    Foot,
    Icon,
    Logo,
    MatButton,
    MatIconButton,
    RouterLink,
    RouterOutlet,
    SideNav,
    AccountSwitch,
    UserMenu,
  ],
  templateUrl: './app.html',
  styleUrl: './app.scss',
})
export class App {
  readonly #document = inject(DOCUMENT);
  readonly #dialog = inject(MatDialog);
  readonly #router = inject(Router);
  readonly #formatter = inject(Formatter);
  protected readonly i18n = inject(I18n);
  protected readonly t = this.i18n.t;
  protected readonly session = inject(Session);
  protected readonly site = inject(Site);
  protected readonly main = viewChild<ElementRef<HTMLElement>>('main');
  protected readonly wide = toSignal(
    inject(BreakpointObserver)
      .observe(WIDE)
      .pipe(map(({ matches }) => matches)),
    { initialValue: true },
  );
  /** False while it is not known who is there, and while the page is left: nothing is shown. */
  protected readonly known = computed(() => {
    const { kind } = this.session.state();
    return kind !== 'unknown' && kind !== 'replaced';
  });
  protected readonly present = computed(() => this.session.user() !== undefined);
  readonly #palette = openPaletteOn(this.#document);

  constructor() {
    const dialogs = inject(Dialogs);
    const edits = inject(UnsavedEdits);
    const kept = [inject(FreshKeys), inject(OperationKeys), inject(TemporaryKeys)];
    followSession(inject(OwnAccount), this.session, () => {
      for (const one of kept) one.forget();
    });
    inject(PREFERENCES).followUser();
    wearBrand(this.#document.documentElement, browserStorage(this.#document), this.site);
    effect(() => {
      this.#document.documentElement.lang = this.i18n.language();
    });
    effect(() => {
      const state = this.session.state();
      if (state.kind === 'replaced') {
        // Nothing that is shown is for the present user.
        dialogs.end();
        const location = this.#document.defaultView?.location;
        if (state.to === undefined) location?.reload();
        else location?.assign(state.to);
      }
      if (state.kind === 'absent' && state.ended) this.#letLogInAgain(dialogs, edits);
    });
    this.#focusPagesAsTheyCome();
    leaveWithDialogs(this.#router, { dialogs, edits }, this.#document.defaultView);
    inject(DestroyRef).onDestroy(keepFocus(this.#document));
    const view = this.#document.defaultView;
    if (view !== null) inject(DestroyRef).onDestroy(followOtherTabs(this.session, view));
    listenForShortcuts(this.#document, () => this.#palette.open());
    const clock = setInterval(() => this.#formatter.tick(), CLOCK_TICK_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(clock));
  }

  /**
   * The session has ended in the middle of a page. One that holds what its user has typed stays,
   * and is covered by the log-in; any other is left, and found again after it.
   */
  #letLogInAgain(dialogs: Dialogs, edits: UnsavedEdits): void {
    const isTyped = this.#document.querySelector('.ng-dirty') !== null;
    if (dialogs.anyOpen() || edits.hold() || isTyped) {
      void this.#coverWithLogIn();
      return;
    }
    const to = this.#router.url;
    void this.#router.navigate(['/login'], { queryParams: { to, ended: '1' } });
  }

  async #coverWithLogIn(): Promise<void> {
    const { LogInAgain } = await import('./sessions/log-in-again');
    const isOpen = this.#dialog.openDialogs.some(
      ({ componentInstance }) => componentInstance instanceof LogInAgain,
    );
    if (isOpen || this.session.user() !== undefined) return;
    this.#dialog.open(LogInAgain, {
      panelClass: 'weir-dialog',
      backdropClass: 'weir-veil',
      disableClose: true,
      closeOnNavigation: false,
      autoFocus: 'input[type=password]',
      restoreFocus: true,
    });
  }

  /** A page that came without a reload is announced by moving the focus to it. */
  #focusPagesAsTheyCome(): void {
    this.#router.events
      .pipe(
        filter((event) => event instanceof NavigationEnd),
        map(({ urlAfterRedirects }) => urlAfterRedirects.split('?')[0]),
        // Another filter or order is the same page: its user stays where they are.
        distinctUntilChanged(),
        skip(1),
        takeUntilDestroyed(),
      )
      .subscribe(() => this.skipToMain());
  }

  protected skipToMain(): void {
    this.main()?.nativeElement.focus({ preventScroll: true });
  }

  protected async openDrawer(): Promise<void> {
    const { NavDrawer } = await import('./shell/navigation/nav-drawer');
    this.#dialog.open(NavDrawer, {
      position: { left: '0', top: '0' },
      height: '100dvh',
      width: '17rem',
      panelClass: 'weir-drawer',
      ariaLabel: this.t('shell.navigation'),
    });
  }

  protected openPalette(): void {
    this.#palette.open();
  }
}
