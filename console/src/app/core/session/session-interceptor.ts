import { inject, untracked } from '@angular/core';
import type { HttpInterceptorFn } from '@angular/common/http';
import { PAGE_ACCOUNT_HEADER, PAGE_USER_HEADER } from '@weir/shared/people/sessions';
import { tap } from 'rxjs';
import { ApiFailure } from '../api/api-failure';
import { Session } from './session';

/**
 * Requests say which user and account their page was made for; the server refuses them when there
 * is another by now. A session that ended on the server (revoked, expired) ends here too, wherever
 * it is noticed first.
 */
export const sessionInterceptor: HttpInterceptorFn = (request, next) => {
  const session = inject(Session);
  const userId = untracked(session.user)?.id;
  const accountId = untracked(session.membership)?.accountId;
  const named = request.clone({
    setHeaders: {
      ...(userId === undefined ? {} : { [PAGE_USER_HEADER]: userId }),
      ...(accountId === undefined ? {} : { [PAGE_ACCOUNT_HEADER]: accountId }),
    },
  });
  return next(named).pipe(
    tap({
      error: (thrown: unknown) => {
        if (!(thrown instanceof ApiFailure)) return;
        if (thrown.code === 'not_authenticated') session.noteEnd();
        if (thrown.code === 'session_changed') session.noteOther();
      },
    }),
  );
};
