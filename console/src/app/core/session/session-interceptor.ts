import { inject, untracked } from '@angular/core';
import type { HttpInterceptorFn } from '@angular/common/http';
import { PAGE_USER_HEADER } from '@weir/shared/sessions';
import { tap } from 'rxjs';
import { ApiFailure } from '../api/api-failure';
import { Session } from './session';

/**
 * Requests say whom their page was made for; the server refuses them when someone else has logged
 * in since. A session that ended on the server (revoked, expired) ends here too, wherever it is
 * noticed first.
 */
export const sessionInterceptor: HttpInterceptorFn = (request, next) => {
  const session = inject(Session);
  const userId = untracked(session.user)?.id;
  const named =
    userId === undefined ? request : request.clone({ setHeaders: { [PAGE_USER_HEADER]: userId } });
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
