// @vitest-environment jsdom
import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { PAGE_USER_HEADER } from '@weir/shared/people/sessions';
import { Check } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import * as views from '../../../testing/views';
import { Session } from '../session/session';
import { sessionInterceptor } from '../session/session-interceptor';
import { Api } from './api';
import { problemInterceptor } from './problem-interceptor';
import { readProblem } from './problem-reader';
import { routeAddress } from './route-address';

const PROBLEM = {
  type: 'about:blank',
  title: 'Not authenticated',
  status: 401,
  detail: 'You are not logged in.',
  code: 'not_authenticated',
  requestId: 'r-1',
};

let api: Api;
let server: HttpTestingController;
let session: Session;

beforeAll(() => TestBed.initTestEnvironment(BrowserTestingModule, platformBrowserTesting()));
afterAll(() => TestBed.resetTestEnvironment());

beforeEach(async () => {
  TestBed.configureTestingModule({
    providers: [
      {
        provide: Session,
        useFactory: () =>
          new Session(
            () => new FakeApi({ getPresence: () => ({ user: views.user, ...views.noAccounts }) }),
          ),
      },
      provideHttpClient(withInterceptors([sessionInterceptor, problemInterceptor])),
      provideHttpClientTesting(),
    ],
  });
  api = new Api(TestBed.inject(HttpClient));
  server = TestBed.inject(HttpTestingController);
  session = TestBed.inject(Session);
  await session.restore();
});

afterEach(() => {
  server.verify();
  TestBed.resetTestingModule();
});

describe('A call', () => {
  test('carries parameters, body, version and cookies', async () => {
    const updated = api.call('updateKey', {
      params: { keyId: views.key.id },
      ifMatch: '"7"',
      body: { status: 'disabled' },
    });
    const expected = server.expectOne(`/api/v1/keys/${views.key.id}`);
    const { request } = expected;
    expect([request.method, request.headers.get('If-Match')]).toEqual(['PATCH', '"7"']);
    // Another tab may have logged someone else in: they must not get what this page does.
    expect(request.headers.get(PAGE_USER_HEADER)).toBe(views.user.id);
    expect([request.body, request.withCredentials]).toEqual([{ status: 'disabled' }, true]);
    expected.flush(views.key);
    expect(await updated).toEqual(views.key);
  });
});

describe('A reply', () => {
  async function reply(body: object, headers: Record<string, string> = {}): Promise<unknown> {
    const answer = api.callTagged('getOwnAccount');
    server.expectOne('/api/v1/accounts/me').flush(body, { headers });
    return answer;
  }

  test('comes with its version', async () => {
    expect(await reply(views.account, { etag: '"3"' })).toEqual({
      value: views.account,
      etag: '"3"',
    });
  });

  test('to an act tells whether it had been done before', async () => {
    const act = async (headers: Record<string, string>): Promise<unknown> => {
      const body = { planId: views.subscription.planId, renews: true };
      const answer = api.callOnce('buySubscription', { body, idempotencyKey: 'key-1' });
      server.expectOne('/api/v1/subscriptions').flush(views.subscription, { headers });
      return answer;
    };
    expect(await act({})).toEqual({ value: views.subscription, before: false });
    expect(await act({ 'idempotency-replayed': 'true' })).toMatchObject({ before: true });
  });

  test('may say more than this console knows, also deep inside', async () => {
    const balance = { ...views.account.balance, cashbackUsd: '1' };
    await expect(reply({ ...views.account, balance, colour: 'teal' })).resolves.toBeDefined();
  });

  test('that lacks something or has another shape is not taken for one', async () => {
    for (const body of [
      { ...views.account, name: undefined },
      { ...views.account, balance: 12 },
    ]) {
      await expect(reply(body, { 'x-request-id': 'r-9' })).rejects.toMatchObject({
        code: 'unreadable_reply',
        requestId: 'r-9',
      });
    }
  });
});

describe('A failed call', () => {
  test('becomes a failure with code, words, fields and request id', async () => {
    const called = api.call('createKey', { body: { name: '', groupId: views.GROUP_ID } });
    const errors = [{ field: '/name', detail: 'must not be empty' }];
    server
      .expectOne('/api/v1/keys')
      .flush(
        { ...PROBLEM, status: 400, code: 'invalid_value', errors },
        { status: 400, statusText: 'Bad Request' },
      );
    await expect(called).rejects.toMatchObject({
      code: 'invalid_value',
      status: 400,
      fields: errors,
      requestId: 'r-1',
    });
    expect(session.user()).toBeDefined();
  });

  test('that says the session is over ends it here too', async () => {
    const called = api.call('getOwnAccount');
    server
      .expectOne('/api/v1/accounts/me')
      .flush(PROBLEM, { status: 401, statusText: 'Unauthorized' });
    await expect(called).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(session.state()).toEqual({ kind: 'absent', ended: true });
  });

  test('without any answer says that the server is out of reach', async () => {
    const called = api.call('getOwnAccount');
    server.expectOne('/api/v1/accounts/me').error(new ProgressEvent('error'));
    await expect(called).rejects.toMatchObject({ code: 'unreachable', requestId: null });
  });
});

describe('A problem', () => {
  test('may carry members that this console does not know', () => {
    const body = { ...PROBLEM, instance: '/keys/1' };
    expect(readProblem({ status: 401, requestId: null, body }).code).toBe('not_authenticated');
  });

  test('of a code from tomorrow, or a page of a proxy, is unknown but keeps its request id', () => {
    const about = { status: 503, requestId: 'r-2' };
    expect(readProblem({ ...about, body: '<html>' })).toMatchObject({
      code: 'unknown',
      requestId: 'r-2',
    });
    const body = { ...PROBLEM, code: 'something_new' };
    expect(readProblem({ ...about, body })).toMatchObject({
      code: 'unknown',
      detail: PROBLEM.detail,
    });
  });
});

describe('An address', () => {
  test('escapes what is put into it and leaves out what is not there', () => {
    expect(
      routeAddress(
        '/models/:id',
        { id: 'a/b?c' },
        { search: 'x y', cursor: undefined, status: '', limit: 5 },
      ),
    ).toBe('/api/v1/models/a%2Fb%3Fc?search=x+y&limit=5');
  });

  test('is never made of a parameter that is missing', () => {
    expect(() => routeAddress('/keys/:keyId', {})).toThrow('lacks keyId');
    expect(() => routeAddress('/keys/:keyId', { keyId: '' })).toThrow('lacks keyId');
  });
});

test('What specs pretend the server says is what it may say', () => {
  const samples = [
    ['AccountAdminView', views.account],
    ['UserView', views.user],
    ['KeyView', views.key],
    ['OrderView', views.order],
    ['PlanView', views.plan],
    ['SubscriptionView', views.subscription],
    ['SettingsView', views.settings],
    ['PublicSettings', views.publicSettings],
    ['UsageRecordView', views.record],
    ['UsageDayView', views.day({})],
    ['UsageSummary', views.summary],
    ['Pricing', views.pricing(views.model('a'))],
  ] as const;
  for (const [name, value] of samples) expect(Check(ADMIN_SCHEMAS[name], value), name).toBe(true);
});
