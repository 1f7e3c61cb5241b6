/** Lists reach browsers compressed; replies that hold secrets do not. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptedCoding } from '../../../gateway/control-plane/api/compress-replies.ts';
import { makeCatalog } from './support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from './support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  for (let made = 0; made < 4; made += 1) await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const get = (path: string, accepts: string | undefined) =>
  fixture.app.inject({
    url: `/api/v1${path}`,
    headers: {
      cookie: admin.cookie,
      ...(accepts === undefined ? {} : { 'accept-encoding': accepts }),
    },
  });

describe('a list', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('is sent as %s to a client that accepts %s', async (coding, accepts, decode) => {
    const [plain, coded] = [await get('/pricing', undefined), await get('/pricing', accepts)];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(coded.headers.vary).toContain('accept-encoding');
    expect(coded.headers['content-length']).toBe(String(coded.rawPayload.length));
    expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect(decode(coded.rawPayload).toString()).toBe(plain.payload);
  });
});

it.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip;q=0, br ; q=0.0', undefined],
  ['gzip;q=0.5, BR;q=0.1', 'br'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
])('of what a client accepts by %j, %j is chosen', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding);
});

it('a reply with codes, or to a change, is sent as it is', async () => {
  for (let made = 0; made < 20; made += 1) {
    await fixture.ask('createInvitationCode', { as: admin, body: { note: 'for somebody' } });
  }
  const codes = await get('/invitation-codes', 'br');
  expect(codes.rawPayload.length).toBeGreaterThan(1_024);
  expect(codes.headers['content-encoding']).toBeUndefined();
});
