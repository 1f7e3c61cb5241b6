import type { SearchHit } from '@weir/shared/api/search';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api';
import { ApiFailure } from '../core/api/api-failure';
import { hitCommand, PaletteSearch } from './palette-search';

function hit(about: Partial<SearchHit>): SearchHit {
  const id = '01a1fe10-0000-7000-8000-000000000001';
  return { kind: 'account', id, title: 'Grace', detail: '', find: '', accountId: id, ...about };
}

const noPause = (): Promise<void> => Promise.resolve();

describe('A search of the palette', () => {
  test('asks for what is typed, and not for less than it can find by', async () => {
    const api = new FakeApi({ search: () => ({ data: [hit({})] }) });
    const search = new PaletteSearch(api, noPause);
    await search.look(' g ');
    expect([search.hits(), search.searching()]).toEqual([[], false]);
    const looking = search.look(' grace ');
    expect(search.searching()).toBe(true);
    await looking;
    expect(search.hits().map(({ title }) => title)).toEqual(['Grace']);
    expect(api.callsOf('search')).toHaveLength(1);
    await search.look('');
    expect(search.hits()).toEqual([]);
  });

  test('waits until typing pauses, and drops what was overtaken', async () => {
    const first = Promise.withResolvers<undefined>();
    const api = new FakeApi({
      search: async ({ body }) => {
        if (body.text === 'gr') await first.promise;
        return { data: [hit({ title: body.text })] };
      },
    });
    const search = new PaletteSearch(api, noPause);
    const early = search.look('gr');
    await Promise.resolve();
    await search.look('grace');
    first.resolve(undefined);
    await early;
    expect(search.hits().map(({ title }) => title)).toEqual(['grace']);
  });

  test('that fails says so and leaves the commands alone', async () => {
    const failed = new ApiFailure({ code: 'unreachable' });
    const search = new PaletteSearch(
      new FakeApi({ search: () => Promise.reject(failed) }),
      noPause,
    );
    await search.look('grace');
    expect([search.failure()?.code, search.hits(), search.searching()]).toEqual([
      'unreachable',
      [],
      false,
    ]);
  });
});

describe('What is found leads', () => {
  const id = '01a1fe10-0000-7000-8000-000000000001';
  const place = (about: Partial<SearchHit>, isAdmin: boolean): unknown =>
    hitCommand(hit(about), { t: (key) => key, isAdmin }).act;

  test.each([
    [{ kind: 'account' }, `/admin/accounts/${id}`, {}],
    [{ kind: 'key', find: 'sk-abc' }, `/admin/accounts/keys/${id}`, {}],
    [{ kind: 'model', find: 'm-1' }, `/admin/models/${id}`, {}],
    [{ kind: 'channel' }, `/admin/channels/${id}`, {}],
    [{ kind: 'order' }, '/admin/orders', { account: id }],
    [{ kind: 'code' }, `/admin/codes/${id}`, {}],
    [{ kind: 'invitation' }, '/admin/codes/invitations', {}],
    [{ kind: 'request' }, `/requests/${id}`, {}],
    [{ kind: 'record' }, `/requests/${id}`, {}],
  ] as const)('an administrator of %j to %s', (about, path, query) => {
    expect(place(about, true)).toEqual({ kind: 'go', path, query });
  });

  test.each([
    [{ kind: 'key', find: 'sk-abc' }, `/keys/${id}`, {}],
    [{ kind: 'model', find: 'm-1' }, '/models', { search: 'm-1' }],
    [{ kind: 'order' }, `/billing/orders/${id}`, {}],
    [{ kind: 'request' }, `/requests/${id}`, {}],
    [{ kind: 'record' }, `/requests/${id}`, {}],
  ] as const)('a customer of %j to %s', (about, path, query) => {
    expect(place(about, false)).toEqual({ kind: 'go', path, query });
  });
});
