import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../../../gateway/control-plane/housekeeping/housekeeping.ts';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let owner: Person;
let groupId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  ({ groupId } = await makeCatalog(fixture, await fixture.admin()));
  owner = await fixture.user();
});
afterAll(() => fixture.close());

interface Login {
  readonly id: string;
  readonly keyId: string | null;
}

async function insertLogin(status: string, expiredAgo: string): Promise<Login> {
  const isAnswered = status === 'used' || status === 'allowed';
  const keyId = isAnswered ? (await makeKey(fixture, owner, groupId)).id : null;
  const id = newRequestId(Date.now());
  await fixture.pool.query(
    `insert into device_logins
       (id, tool, device, address, network, device_digest, user_code_digest, status, expires_at, poll_seconds, key_id)
     values ($1, 'claude_code', '', '127.0.0.1', '127.0.0.1', $2, $3, $4, now() - $5::interval, 5, $6)`,
    [id, randomBytes(32), randomBytes(32), status, expiredAgo, keyId],
  );
  return { id, keyId };
}

async function insertToken({ id }: Login, issuedAgo: string): Promise<void> {
  await fixture.pool.query(
    `insert into device_login_tokens (digest, login_id, issued_at) values ($1, $2, now() - $3::interval)`,
    [randomBytes(32), id, issuedAgo],
  );
}

async function isLeft({ id }: Login): Promise<boolean> {
  const { rowCount } = await fixture.pool.query('select 1 from device_logins where id = $1', [id]);
  return rowCount === 1;
}

describe('the clean-up of logins', () => {
  it('ends those that no tool took up or has renewed for a month, and forgets what is over', async () => {
    const young = await insertLogin('pending', '0 s');
    const denied = await insertLogin('denied', '2 days');
    const unclaimed = await insertLogin('allowed', '2 days');
    const idle = await insertLogin('used', '40 days');
    await insertToken(idle, '31 days');
    const inUse = await insertLogin('used', '40 days');
    await insertToken(inUse, '29 days');
    await cleanUp({ pool: fixture.pool });
    for (const login of [denied, unclaimed, idle]) expect(await isLeft(login)).toBe(false);
    for (const login of [young, inUse]) expect(await isLeft(login)).toBe(true);
    const keys = await fixture.ask('listKeys', { as: owner });
    expect(keys.reply.data.map(({ id }) => id)).toEqual([inUse.keyId]);
  });
});
