import { inject } from '@angular/core';
import type { HttpInterceptorFn } from '@angular/common/http';
import { tap } from 'rxjs';
import { ApiFailure } from '../api/api-failure';
import { Session } from './session';

/** A session that ended on the server (revoked, expired) ends here too, wherever it is noticed first. */
export const sessionInterceptor: HttpInterceptorFn = (request, next) => {
  const session = inject(Session);
  return next(request).pipe(
    tap({
      error: (thrown: unknown) => {
        if (thrown instanceof ApiFailure && thrown.code === 'not_authenticated') session.noteEnd();
      },
    }),
  );
};
