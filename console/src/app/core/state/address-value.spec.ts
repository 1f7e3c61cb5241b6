// @vitest-environment jsdom
import { Injector, runInInjectionContext } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { ActivatedRoute, convertToParamMap, type Router } from '@angular/router';
import { BehaviorSubject } from 'rxjs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Address } from './address';
import { addressChoice, addressDay, addressId, addressSearch } from './address-value';

const ID = '01a1fd85-7715-7fed-a767-b935f6226f94';
const KEY = `sk-${'a1B2'.repeat(10)}`;

beforeAll(() => TestBed.initTestEnvironment(BrowserTestingModule, platformBrowserTesting()));
afterEach(() => TestBed.resetTestingModule());
afterAll(() => TestBed.resetTestEnvironment());

type Query = Readonly<Record<string, string | null>>;

/** A page at an address, of which a navigation takes the place of one that has not ended. */
function open(query: string) {
  const parameters = (text: string): Query => Object.fromEntries(new URLSearchParams(text));
  const queryParamMap = new BehaviorSubject(convertToParamMap(parameters(query)));
  let at = parameters(query);
  let turn = 0;
  const navigate = async (_commands: unknown[], options: { readonly queryParams: Query }) => {
    const own = ++turn;
    const kept = Object.entries({ ...at, ...options.queryParams }).filter(([, value]) => value);
    await Promise.resolve();
    if (own !== turn) return false;
    at = Object.fromEntries(kept);
    queryParamMap.next(convertToParamMap(at));
    return true;
  };
  const address = new Address({ navigate } as Partial<Router> as Router);
  TestBed.configureTestingModule({
    providers: [
      { provide: ActivatedRoute, useValue: { queryParamMap } },
      { provide: Address, useValue: address },
    ],
  });
  const page = runInInjectionContext(TestBed.inject(Injector), () => ({
    status: addressChoice('status', ['active', 'disabled']),
    account: addressId('account'),
    search: addressSearch('search'),
    from: addressDay('from'),
  }));
  const settled = async (): Promise<Query> => {
    TestBed.tick();
    await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
    return at;
  };
  const goTo = (text: string): void => {
    at = parameters(text);
    queryParamMap.next(convertToParamMap(at));
  };
  return { page, settled, goTo };
}

describe('a filter of the address', () => {
  test('is what the address says, and nothing where that means nothing', async () => {
    const { page, settled } = open(`status=active&account=${ID}&search=a&from=today`);
    expect(page.status()).toBe('active');
    expect([page.account(), page.search(), page.from()]).toEqual([ID, 'a', '']);
    expect(await settled()).toEqual({ status: 'active', account: ID, search: 'a' });
  });

  test('several that change at once are all said', async () => {
    const { page, settled } = open('search=a');
    page.status.set('disabled');
    page.account.set(ID);
    page.from.set('2026-01-31');
    const all = { search: 'a', status: 'disabled', account: ID, from: '2026-01-31' };
    expect(await settled()).toEqual(all);
    page.status.set('');
    expect(await settled()).toEqual({ search: 'a', account: ID, from: '2026-01-31' });
  });

  test('follows the address when that changes', async () => {
    const { page, goTo, settled } = open('status=active&search=a');
    await settled();
    goTo('search=b');
    await settled();
    expect([page.status(), page.search()]).toEqual(['', 'b']);
  });

  test('a whole key is searched for and never said', async () => {
    const { page, settled } = open('search=a');
    page.search.set(KEY);
    expect(await settled()).toEqual({});
    expect(page.search()).toBe(KEY);
  });
});
