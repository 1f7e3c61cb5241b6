import { DOCUMENT } from '@angular/common';
import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  ErrorHandler,
  inject,
  Injector,
  provideAppInitializer,
  provideBrowserGlobalErrorListeners,
  type ApplicationConfig,
} from '@angular/core';
import { MAT_DIALOG_DEFAULT_OPTIONS, MatDialog, MatDialogConfig } from '@angular/material/dialog';
import { MAT_RIPPLE_GLOBAL_OPTIONS } from '@angular/material/core';
import {
  provideRouter,
  Router,
  TitleStrategy,
  withComponentInputBinding,
  withInMemoryScrolling,
  withNavigationErrorHandler,
} from '@angular/router';
import { Api } from './core/api/api';
import { problemInterceptor } from './core/api/problem-interceptor';
import { Formatter } from './core/format/formatter';
import { I18n } from './core/i18n/i18n';
import { Address } from './core/state/address';
import { browserStorage } from './core/state/browser-storage';
import { loadAhead } from './core/state/load-ahead';
import { OperationKeys } from './core/state/operation-keys';
import { randomId } from './core/state/random-id';
import { untilIdle } from './core/state/until-idle';
import { PendingOperations } from './core/state/pending-operations';
import { OwnAccount } from './core/session/own-account';
import { Session } from './core/session/session';
import { sessionInterceptor } from './core/session/session-interceptor';
import { Site } from './core/session/site';
import { ListView } from './core/theme/list-view';
import { Theme } from './core/theme/theme';
import { Dialogs } from './design/dialog/dialogs';
import { Toasts } from './design/feedback/toasts';
import { FreshKeys } from './keys/fresh-keys';
import { TemporaryKeys } from './keys/temporary-keys';
import { UnsavedEdits } from './shell/unsaved-edits';
import { ROUTES } from './app.routes';
import { AppErrorHandler } from './shell/app-error-handler';
import { reloadOnStaleChunk } from './shell/reload-on-stale-chunk';
import { PageTitle } from './shell/page-title';
import { ShortcutChoice } from './shell/preferences/shortcut-choice';
import { openingLanguage } from './shell/preferences/preferences';

/**
 * The application's parts. Most are plain classes; this is the one place that says what they are
 * made of.
 */
export const APP_CONFIG: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    {
      provide: ErrorHandler,
      useFactory: () => {
        const injector = inject(Injector);
        return new AppErrorHandler(() => injector.get(Toasts));
      },
    },
    provideRouter(
      ROUTES,
      withComponentInputBinding(),
      withNavigationErrorHandler(reloadOnStaleChunk),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled', anchorScrolling: 'enabled' }),
    ),
    provideHttpClient(withInterceptors([sessionInterceptor, problemInterceptor])),
    { provide: TitleStrategy, useExisting: PageTitle },
    { provide: Api, useFactory: () => new Api(inject(HttpClient)) },
    { provide: I18n, useFactory: () => new I18n() },
    { provide: Formatter, useFactory: () => new Formatter(inject(I18n).language) },
    {
      provide: Session,
      useFactory: () => {
        const injector = inject(Injector);
        return new Session(() => injector.get(Api));
      },
    },
    { provide: UnsavedEdits, useFactory: () => new UnsavedEdits() },
    { provide: Site, useFactory: () => new Site(inject(Api)) },
    {
      provide: OperationKeys,
      useFactory: () => {
        const session = inject(Session);
        const storage = browserStorage(inject(DOCUMENT), 'sessionStorage');
        return new OperationKeys(
          randomId,
          new PendingOperations(storage, () => session.user()?.id ?? ''),
        );
      },
    },
    { provide: FreshKeys, useFactory: () => new FreshKeys() },
    { provide: TemporaryKeys, useFactory: () => new TemporaryKeys(inject(Api)) },
    { provide: OwnAccount, useFactory: () => new OwnAccount(inject(Api)) },
    {
      provide: Theme,
      useFactory: () => {
        const document = inject(DOCUMENT);
        return new Theme(document.documentElement, browserStorage(document));
      },
    },
    {
      provide: ShortcutChoice,
      useFactory: () => new ShortcutChoice(browserStorage(inject(DOCUMENT))),
    },
    {
      provide: ListView,
      useFactory: () => {
        const document = inject(DOCUMENT);
        return new ListView(document.documentElement, browserStorage(document));
      },
    },
    { provide: Address, useFactory: () => new Address(inject(Router)) },
    {
      provide: Toasts,
      useFactory: () => {
        const injector = inject(Injector);
        const loadBar = async () =>
          injector.get((await import('@angular/material/snack-bar')).MatSnackBar);
        void untilIdle(inject(DOCUMENT)).then(loadBar, () => undefined);
        return new Toasts(loadBar, inject(I18n));
      },
    },
    { provide: Dialogs, useFactory: () => new Dialogs(inject(MatDialog)) },
    {
      provide: MAT_DIALOG_DEFAULT_OPTIONS,
      // These replace the library's own, which make it a dialog: without them it has no role and
      // outlives the page.
      useFactory: () =>
        Object.assign(new MatDialogConfig(), { maxWidth: '100vw', maxHeight: '100dvh' }),
    },
    // Ripples are motion without meaning.
    { provide: MAT_RIPPLE_GLOBAL_OPTIONS, useValue: { disabled: true } },
    // Texts first: nothing may be shown in no language. Who is there and where follows meanwhile.
    provideAppInitializer(() => {
      const document = inject(DOCUMENT);
      void inject(Session).restore();
      void inject(Site).load();
      const segments = document.location.pathname.split('/').filter(Boolean);
      void loadAhead(ROUTES, segments).catch(() => undefined);
      const [i18n, formatter] = [inject(I18n), inject(Formatter)];
      // A browser's first number takes as long as a table; here the page waits for the server.
      void untilIdle(document).then(() => formatter.number(0));
      const texts = i18n.use(openingLanguage(document));
      if (segments[0] === 'admin') {
        void texts.then(() => i18n.useOperatorTexts()).catch(() => undefined);
      }
      return texts;
    }),
  ],
};
