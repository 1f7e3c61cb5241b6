import type { AccountListItem, AccountPage } from '@weir/shared/people/accounts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeApi } from '../../../../testing/fake-api';
import { AccountFinder, emailOf, nameOf } from './account-finder';

function account(name: string, ...emails: string[]): AccountListItem {
  return {
    id: `00000000-0000-7000-8000-${name.padStart(12, '0')}`,
    name,
    status: 'active',
    emails,
    bookBalanceUsd: '0',
    deletedAt: null,
    createdAt: '2026-11-01T00:00:00.000Z',
  };
}

const ADA = account('ada', 'ada@example.org');
const GRACE = account('grace@example.org', 'grace@example.org');

function pageOf(...data: AccountListItem[]): AccountPage {
  return { data, nextCursor: null, total: null };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('Asks once the typing pauses, with what stands there then', async () => {
  const api = new FakeApi({ listAccounts: () => pageOf(ADA) });
  const finder = new AccountFinder(api);
  for (const text of ['a', 'ad', ' ada@ex ']) finder.type(text);
  expect(api.seen).toEqual([]);
  await vi.runAllTimersAsync();
  expect(api.seen.map(({ query }) => query)).toEqual([{ limit: 8, search: 'ada@ex' }]);
  expect(finder.found.rows()).toEqual([ADA]);
});

test('Shows what was asked last, even when an earlier answer comes later', async () => {
  const answers: ((page: AccountPage) => void)[] = [];
  const finder = new AccountFinder(
    new FakeApi({ listAccounts: () => new Promise((resolve) => answers.push(resolve)) }),
  );
  const both = [finder.find('a'), finder.find('ad')];
  answers[1]?.(pageOf(ADA));
  answers[0]?.(pageOf(GRACE));
  await Promise.all(both);
  expect(finder.found.rows()).toEqual([ADA]);
});

test('Asks nothing any more once its field is gone', async () => {
  const api = new FakeApi({ listAccounts: () => pageOf() });
  const finder = new AccountFinder(api);
  finder.type('ada');
  finder.stop();
  await vi.runAllTimersAsync();
  expect(api.seen).toEqual([]);
});

test('Knows the account of an id, and of no other that the search brings', async () => {
  const api = new FakeApi({ listAccounts: () => pageOf(ADA) });
  const finder = new AccountFinder(api);
  expect(await finder.byId(ADA.id)).toEqual(ADA);
  expect(await finder.byId(GRACE.id)).toBeUndefined();
  api.answer({
    listAccounts: () => {
      throw new Error('out of reach');
    },
  });
  expect(await finder.byId(ADA.id)).toBeUndefined();
});

test('Says an e-mail address next to a name, and not twice', () => {
  expect([nameOf(ADA), emailOf(ADA)]).toEqual(['ada', 'ada@example.org']);
  expect([nameOf(GRACE), emailOf(GRACE)]).toEqual(['grace@example.org', '']);
  expect(nameOf('ad')).toBe('ad');
});
