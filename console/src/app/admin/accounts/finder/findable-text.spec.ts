import { expect, test } from 'vitest';
import { FakeApi } from '../../../../testing/fake-api';
import { routeAddress } from '../../../core/api/route-address';
import { findableText } from './findable-text';

const KEY = `sk-${'a1B2c3'.repeat(7)}`;
const HIT = {
  kind: 'key' as const,
  id: '00000000-0000-7000-8000-000000000001',
  title: 'laptop',
  detail: '',
  find: 'sk-Zz9Yy8',
  accountId: null,
};

test('A whole key is looked up in a body, and the list by the prefix of its key', async () => {
  const api = new FakeApi({ search: () => ({ data: [HIT] }) });
  expect(await findableText(api, `OPENAI_API_KEY="${KEY}"`)).toBe(HIT.find);
  expect(api.callsOf('search')).toMatchObject([{ body: { text: KEY } }]);
});

test('A key that is nobody’s is looked for by its own prefix', async () => {
  const api = new FakeApi({ search: () => ({ data: [] }) });
  expect(await findableText(api, KEY)).toBe('sk-a1B2c3');
});

test('Other texts are searched for as they are', async () => {
  const api = new FakeApi({});
  for (const text of ['', 'laptop', 'sk-a1B2c3']) expect(await findableText(api, text)).toBe(text);
});

test('No address has a whole key in it', () => {
  const address = routeAddress('/admin/accounts', {}, { search: ` ${KEY}`, limit: 5 });
  expect(address).toBe('/api/v1/admin/accounts?search=sk-a1B2c3&limit=5');
});
