import { beforeAll, afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { FakeGoogle } from '../../../support/upstreams/fake-google/fake-google.ts';
import { until } from '../../../support/clocks/hang.ts';
import { wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import {
  all200,
  openGateway,
  openGoogle,
  openVertexDatabase,
  statusesOf,
  type VertexDatabase,
} from './support/minting-gateway.ts';
import { passHour } from './support/pass-hour.ts';

const MINUTE_MS = 60_000;

let database: VertexDatabase;
let google: FakeGoogle;

beforeAll(async () => {
  database = await openVertexDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  google = await openGoogle();
});

it('serves the requests of an hour with two grants', async () => {
  await passHour(await openGateway(database, google), google, 100);
});

it('serves on while the token endpoint is away for ten minutes', async () => {
  const { clock, send, minter, log } = await openGateway(database, google);
  expect(await statusesOf({ send }, 1)).toEqual([200]);
  google.tokenEndpoint = 'away';
  clock.advance(44 * MINUTE_MS);
  for (let minute = 0; minute < 10; minute += 1) {
    const { failed } = minter.status();
    clock.advance(MINUTE_MS);
    if (minute >= 1) await until('the exchange was tried', () => minter.status().failed > failed);
    expect(await statusesOf({ send }, 2)).toEqual([200, 200]);
  }
  expect(minter.status().failing).toMatchObject([{ isServed: true }]);
  expect(log.filter((line) => line.includes('cannot be renewed'))).not.toHaveLength(0);
  google.tokenEndpoint = 'up';
  clock.advance(MINUTE_MS);
  await until('the token is new', () => minter.status().minted === 2);
  expect(minter.status().failing).toEqual([]);
  clock.advance(30 * MINUTE_MS);
  expect(await statusesOf({ send }, 2)).toEqual([200, 200]);
  expect(log.join('')).not.toMatch(/PRIVATE KEY|ya29/);
});

it('says so once a token has run out, and serves again with the next', async () => {
  const { clock, send, minter } = await openGateway(database, google);
  expect(await statusesOf({ send }, 1)).toEqual([200]);
  google.tokenEndpoint = 'away';
  clock.advance(46 * MINUTE_MS);
  await until('the exchange was tried', () => minter.status().failed === 1);
  clock.advance(14 * MINUTE_MS);
  await until('the exchange was tried', () => minter.status().failed > 1);
  expect(minter.status().failing).toMatchObject([{ isServed: false }]);
  const reply = await send();
  expect(reply.status).toBe(502);
  expect(await reply.text()).toContain('misconfigured');
  google.tokenEndpoint = 'up';
  clock.advance(MINUTE_MS);
  await until('the token is new', () => minter.status().minted === 2);
  expect(await statusesOf({ send }, 1)).toEqual([200]);
});

it('mints once more when tokens are revoked, and fails none of the requests', async () => {
  const { send } = await openGateway(database, google);
  expect(await statusesOf({ send }, 1)).toEqual([200]);
  google.tokens.revokeAll();
  expect(await statusesOf({ send }, 20)).toEqual(all200(20));
  expect(google.tokens.grants).toBe(2);
});

it('leaves a credential alone whose new token is refused as well', async () => {
  const { send } = await openGateway(database, google, {
    baseUrls: [google.baseUrl('us-east5'), google.baseUrl('global')],
  });
  const refused = {
    error: { code: 401, message: 'Request had invalid…', status: 'UNAUTHENTICATED' },
  };
  google.reply = ({ location }) =>
    location === 'global'
      ? { json: wholeReply('gemini', { pieces: ['Served.'] }) }
      : { status: 401, json: refused };
  for (let sent = 0; sent < 5; sent += 1) expect(await statusesOf({ send }, 1)).toEqual([200]);
  expect(google.tokens.grants).toBe(2);
});

it('has a request wait for the first token', async () => {
  google.tokenEndpoint = 'held';
  const { send } = await openGateway(database, google);
  const waiting = statusesOf({ send }, 3);
  google.release();
  expect(await waiting).toEqual(all200(3));
  expect(google.tokens.grants).toBe(1);
});

it('goes to another channel at once when a key is refused, and says why in the log', async () => {
  const file = JSON.parse(google.keyFile) as Record<string, unknown>;
  const stranger = JSON.stringify({ ...file, client_email: 'other@test.iam.gserviceaccount.com' });
  const { send, minter, log } = await openGateway(database, google, {
    baseUrls: [google.baseUrl('us-east5'), google.baseUrl('global')],
    credentials: [stranger],
  });
  await until('the exchange was tried', () => minter.status().failed === 1);
  const reply = await send();
  expect(reply.status).toBe(502);
  expect(log.join('')).toContain('Invalid grant: account not found');
  expect(log.join('')).not.toContain('PRIVATE KEY');
});

it('keeps key files away from the threads that serve requests', async () => {
  const { minter, send } = await openGateway(database, google);
  expect(await statusesOf({ send }, 1)).toEqual([200]);
  const entries = JSON.stringify(minter.entries());
  expect(entries).toContain('ya29.');
  expect(entries).not.toContain('PRIVATE KEY');
});

it('takes a refresh token', async () => {
  const user = {
    type: 'authorized_user',
    client_id: 'client-1',
    client_secret: 'secret-1',
    refresh_token: 'refresh-1',
    token_uri: `${google.origin}/token`,
  };
  const { send } = await openGateway(database, google, { credentials: [JSON.stringify(user)] });
  expect(await statusesOf({ send }, 1)).toEqual([200]);
});

it('asks the metadata server where the credential says so', async () => {
  process.env['GCE_METADATA_HOST'] = new URL(google.origin).host;
  onTestFinished(() => {
    delete process.env['GCE_METADATA_HOST'];
  });
  const { send } = await openGateway(database, google, { credentials: ['metadata'] });
  expect(await statusesOf({ send }, 1)).toEqual([200]);
});

it('sends the identity of the machine to Google alone', async () => {
  process.env['GCE_METADATA_HOST'] = new URL(google.origin).host;
  onTestFinished(() => {
    delete process.env['GCE_METADATA_HOST'];
  });
  const { minter } = await openGateway(database, google, {
    credentials: ['metadata'],
    baseUrls: ['https://vertex.example.com/v1/projects/p/locations/global'],
  });
  await until('it is refused', () => minter.status().failing.length === 1);
  expect(minter.status().failing[0]?.failure).toContain('aiplatform.googleapis.com alone');
  expect(google.tokens.grants).toBe(0);
});
