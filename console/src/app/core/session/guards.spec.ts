import { Injector, runInInjectionContext } from '@angular/core';
import {
  DefaultUrlSerializer,
  RedirectCommand,
  Router,
  UrlSegment,
  type CanMatchFn,
} from '@angular/router';
import type { UserView } from '@weir/shared/people/users';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { noAccounts, user } from '../../../testing/views';
import { requireAdmin, requireNobody, requireUser } from './guards';
import { I18n } from '../i18n/i18n';
import { Session } from './session';

const urls = new DefaultUrlSerializer();
const admin: UserView = { ...user, role: 'admin' };

/** Returns a guard's answer to someone who asks for a page: true, false or the page instead. */
async function ask(
  guard: CanMatchFn,
  who: UserView | undefined,
  address: string,
): Promise<boolean | string> {
  const api = new FakeApi({
    getPresence: () => ({ user: who ?? null, ...noAccounts }),
  });
  const router = {
    parseUrl: (url: string) => urls.parse(url),
    currentNavigation: () => ({ extractedUrl: urls.parse(address) }),
  };
  const injector = Injector.create({
    providers: [
      { provide: Session, useValue: new Session(() => api) },
      { provide: Router, useValue: router },
      { provide: I18n, useValue: new I18n() },
    ],
  });
  const segments = [new UrlSegment(address.slice(1), {})];
  const answer = await runInInjectionContext(injector, () =>
    (guard as (route: object, segments: UrlSegment[]) => Promise<unknown>)({}, segments),
  );
  if (answer instanceof RedirectCommand) return urls.serialize(answer.redirectTo);
  return answer === true;
}

describe('Pages of a user', () => {
  test('send others to log in, and know where to come back to', async () => {
    expect(await ask(requireUser, undefined, '/keys?search=laptop')).toBe(
      '/login?to=%2Fkeys%3Fsearch%3Dlaptop',
    );
    expect(await ask(requireUser, undefined, '/dashboard')).toBe('/login');
  });

  test('open to a user, once the server has said who they are', async () => {
    expect(await ask(requireUser, user, '/keys')).toBe(true);
  });
});

describe('Pages of an admin', () => {
  test('do not exist for a user or a stranger', async () => {
    expect(await ask(requireAdmin, user, '/admin/models')).toBe(false);
    expect(await ask(requireAdmin, undefined, '/admin/models')).toBe(false);
  });

  test('open to a supporter who may read what they show', async () => {
    const support: UserView = { ...user, role: 'support' };
    expect(await ask(requireAdmin, support, '/admin/accounts')).toBe(true);
    expect(await ask(requireAdmin, support, '/admin/models')).toBe(false);
  });

  test('open to an admin', async () => {
    expect(await ask(requireAdmin, admin, '/admin/models')).toBe(true);
  });
});

describe('The door', () => {
  test('is shown to nobody who is inside already', async () => {
    expect(await ask(requireNobody, user, '/login')).toBe('/dashboard');
  });

  test('leads them where they wanted, never to another site', async () => {
    expect(await ask(requireNobody, user, '/login?to=%2Fkeys')).toBe('/keys');
    expect(await ask(requireNobody, user, '/login?to=%2F%2Felsewhere.example')).toBe('/dashboard');
  });

  test('is open to everyone else', async () => {
    expect(await ask(requireNobody, undefined, '/login')).toBe(true);
  });
});
