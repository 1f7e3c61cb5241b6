import {
  HttpErrorResponse,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  type HttpInterceptorFn,
} from '@angular/common/http';
import { Injector, runInInjectionContext } from '@angular/core';
import type { Problem } from '@weir/shared/api/problem';
import { lastValueFrom, of, throwError, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { noAccounts, user } from '../../../testing/views';
import { Session } from '../session/session';
import { sessionInterceptor } from '../session/session-interceptor';
import { ApiFailure, failureOf } from './api-failure';
import { problemInterceptor } from './problem-interceptor';

const REQUEST = new HttpRequest('GET', '/api/v1/keys');
const REQUEST_ID = '01a1fe10-0000-7000-8000-000000000060';

/** A session of someone who is logged in. */
async function loggedIn(): Promise<Session> {
  const session = new Session(() => new FakeApi({ getPresence: () => ({ user, ...noAccounts }) }));
  await session.restore();
  return session;
}

/**
 * Both interceptors as the application stacks them; what the server answers comes from `answer`.
 */
async function send(answer: Observable<HttpResponse<unknown>>, session: Session): Promise<unknown> {
  const injector = Injector.create({ providers: [{ provide: Session, useValue: session }] });
  const run = (
    interceptor: HttpInterceptorFn,
    next: Parameters<HttpInterceptorFn>[1],
  ): ReturnType<HttpInterceptorFn> =>
    runInInjectionContext(injector, () => interceptor(REQUEST, next));
  return lastValueFrom(run(sessionInterceptor, () => run(problemInterceptor, () => answer))).catch(
    (thrown: unknown) => thrown,
  );
}

function refused(status: number, error: unknown): Observable<never> {
  const headers = new HttpHeaders({ 'x-request-id': REQUEST_ID });
  return throwError(() => new HttpErrorResponse({ status, error, headers }));
}

function problem(code: string, status: number): Problem {
  return {
    type: `/api/problems/${code}`,
    title: 'Title',
    status,
    detail: 'Detail.',
    code,
    requestId: REQUEST_ID,
  };
}

describe('A reply on its way in', () => {
  test('passes as it is when it succeeds', async () => {
    const session = await loggedIn();
    const response = new HttpResponse({ body: { data: [] } });
    expect(await send(of(response), session)).toBe(response);
    expect(session.user()?.id).toBe(user.id);
  });

  test('that refuses becomes a failure with its code and request id', async () => {
    const session = await loggedIn();
    const failure = await send(refused(409, problem('state_conflict', 409)), session);
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failureOf(failure)).toMatchObject({
      code: 'state_conflict',
      status: 409,
      requestId: REQUEST_ID,
    });
    expect(session.user()?.id).toBe(user.id);
  });

  test('of a proxy keeps the request id, whatever its body is', async () => {
    const failure = await send(refused(502, '<html>Bad gateway</html>'), await loggedIn());
    expect(failureOf(failure)).toMatchObject({
      code: 'unknown',
      status: 502,
      requestId: REQUEST_ID,
    });
  });

  test('that never came is a server out of reach', async () => {
    const failure = await send(refused(0, null), await loggedIn());
    expect(failureOf(failure).code).toBe('unreachable');
  });

  test('that says the session is over ends it here too', async () => {
    const session = await loggedIn();
    await send(refused(401, problem('not_authenticated', 401)), session);
    expect(session.user()).toBeUndefined();
  });

  test('that says someone else is logged in replaces the session', async () => {
    const session = await loggedIn();
    await send(refused(409, problem('session_changed', 409)), session);
    expect(session.state()).toEqual({ kind: 'replaced' });
  });

  test('that refuses something else ends no session', async () => {
    const session = await loggedIn();
    for (const [code, status] of [
      ['role_required', 403],
      ['invalid_credentials', 401],
    ] as const) {
      await send(refused(status, problem(code, status)), session);
    }
    expect(session.user()?.id).toBe(user.id);
  });

  test('is left alone when what broke is no reply', async () => {
    const broken = new TypeError('Broken');
    expect(
      await send(
        throwError(() => broken),
        await loggedIn(),
      ),
    ).toBe(broken);
  });
});
