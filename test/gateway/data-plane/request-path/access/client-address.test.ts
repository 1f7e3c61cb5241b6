import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../../support/seed.ts';

const ALLOWED = '203.0.113.7';
const THIEF = '198.51.100.66';
const BODY = JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] });

let database: TestDatabase;
let pool: pg.Pool;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  seeded = await seed(pool, { upstreams: [] });
  await pool.query('update keys set ip_allowlist = $2 where id = $1', [seeded.keyId, [ALLOWED]]);
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env: { TRUSTED_PROXY_HOPS: '1' },
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await pool.end();
  await database.drop();
});

/** Header lines as they are: clients for HTTP join those of one name. */
async function send(lines: readonly string[], path = '/v1/chat/completions'): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${seeded.key}`,
    'content-type: application/json',
    `content-length: ${BODY.length}`,
    ...lines,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY}`);
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    if (reply.endsWith('}')) break;
  }
  return reply;
}

describe('a key with an allowlist, behind one proxy', () => {
  it.each([
    ['in a line of its own', [`X-Forwarded-For: ${ALLOWED}`, `X-Forwarded-For: ${THIEF}`]],
    ['behind what the client sent', [`X-Forwarded-For: ${ALLOWED}, ${THIEF}`]],
    ['behind an empty line', ['X-Forwarded-For:', `X-Forwarded-For: ${THIEF}`]],
  ])('is refused to the address that the proxy wrote %s', async (_where, lines) => {
    const reply = await send(lines);
    expect(reply).toContain('ip_not_allowed');
    expect(reply).toContain(THIEF);
  });

  it('counts no tokens for a stranger either', async () => {
    const path = '/v1/messages/count_tokens';
    expect(await send([`X-Forwarded-For: ${THIEF}`], path)).toContain(THIEF);
    expect(await send([`X-Forwarded-For: ${ALLOWED}`], path)).toContain('"input_tokens":');
  });

  it('serves the address that the proxy wrote with a port, as gateways of clouds do', async () => {
    expect(await send([`X-Forwarded-For: ${ALLOWED}:51234`])).toContain('no_channel_available');
    const refused = await send([`X-Forwarded-For: ${THIEF}:51234`]);
    expect(refused).toContain('ip_not_allowed');
    expect(refused).not.toContain('51234');
  });

  it.each([`${ALLOWED}, `, `, ${ALLOWED},,`, `"${ALLOWED}"`, `::ffff:${ALLOWED}`])(
    'serves the address that is in %s',
    async (forwarded) => {
      expect(await send([`X-Forwarded-For: ${forwarded}`])).toContain('no_channel_available');
    },
  );

  it.each(['unknown', '_hidden:80', 'made up'])('takes %s for no address', async (forwarded) => {
    const reply = await send([`X-Forwarded-For: ${forwarded}`]);
    expect(reply).toContain('ip_not_allowed');
    expect(reply).toContain('unknown');
  });

  it('serves the address that the proxy wrote, whatever the client says', async () => {
    const reply = await send([`X-Forwarded-For: ${THIEF}`, `X-Forwarded-For: ${ALLOWED}`]);
    expect(reply).toContain('no_channel_available');
  });
});
