import { HttpErrorResponse, type HttpInterceptorFn } from '@angular/common/http';
import { catchError, throwError } from 'rxjs';
import { readProblem } from './problem-reader';

/** Turns whatever HTTP threw into an `ApiFailure`, so that nothing above knows HTTP. */
export const problemInterceptor: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    catchError((thrown: unknown) =>
      throwError(() => {
        if (!(thrown instanceof HttpErrorResponse)) return thrown;
        const body: unknown = thrown.error;
        return readProblem({
          status: thrown.status,
          body,
          requestId: thrown.headers.get('x-request-id'),
        });
      }),
    ),
  );
