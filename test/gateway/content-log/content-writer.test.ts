import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eraseOldContent } from '../../../gateway/content-log/erase-content.ts';
import { WAITING_BYTES_MAX } from '../../../gateway/content-log/content-queue.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { seed } from '../../support/seed.ts';
import {
  captured,
  newKeptKey,
  stored,
  write,
  BYTES_MAX,
  type KeptKey,
} from './support/content-fixture.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 30;

let database: TestDatabase;
let pool: pg.Pool;
let groupId: string;
let key: KeptKey;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  ({ groupId } = await seed(pool, { upstreams: [], models: [] }));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  key = await newKeptKey(pool, groupId);
});

const change = (sql: string, ...more: unknown[]): Promise<unknown> =>
  pool.query(`update keys set ${sql} where id = $1`, [key.keyId, ...more]);

describe('content', () => {
  it('is stored once, encrypted, and comes back', async () => {
    const content = captured(key, { request: '{"a":"hello"}', reply: 'data: hi\n\n' });
    expect(await write(pool, [content, content])).toMatchObject({ kept: 2 });
    expect(await stored(pool, content.requestId)).toEqual({
      outcome: 'kept',
      request: '{"a":"hello"}',
      reply: 'data: hi\n\n',
      requestBytes: 13,
      replyBytes: 10,
      cutAtBytes: null,
    });
    const { rows } = await pool.query<{ text: string }>(
      `select encode(sealed, 'escape') as text from content_records where key_id = $1`,
      [key.keyId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('hello');
  });

  it('of a row that was put in the place of another cannot be read', async () => {
    const [one, two] = [captured(key, { request: 'one' }), captured(key, { request: 'two' })];
    await write(pool, [one, two]);
    await pool.query(
      `update content_records r set sealed = o.sealed from content_records o
       where r.request_id = $1 and o.request_id = $2`,
      [one.requestId, two.requestId],
    );
    await expect(stored(pool, one.requestId)).rejects.toThrow();
  });

  it('says where it was cut', async () => {
    const content = { ...captured(key), replyBytes: BYTES_MAX + 1 };
    await write(pool, [content]);
    expect(await stored(pool, content.requestId)).toMatchObject({ cutAtBytes: BYTES_MAX });
  });

  it('has no key of Weir in it', async () => {
    const content = captured(key, { request: `{"text":"use ${key.key}"}` });
    await write(pool, [content]);
    const { request } = (await stored(pool, content.requestId)) ?? {};
    expect(request).toBe(`{"text":"use ${key.key.slice(0, 9)}..."}`);
  });

  it.each([
    ['is switched off', 'content_log = false'],
    ['is deleted', `status = 'deleted'`],
    ['was erased since the request', `content_erased_before = now() + interval '1 second'`],
    ['keeps content for fewer days', 'content_log_days = 1'],
  ])('is not stored for a key that %s', async (_what, sql) => {
    await change(sql);
    const content = captured(key, { atMs: Date.now() - 2 * DAY_MS });
    await write(pool, [content]);
    expect(await stored(pool, content.requestId)).toBeUndefined();
  });
});

describe('a request is marked', () => {
  it('when there was no memory for its content', async () => {
    const content = { ...captured(key), bodies: null };
    expect(await write(pool, [content])).toMatchObject({ queue_full: 1, kept: 0 });
    expect(await stored(pool, content.requestId)).toMatchObject({ outcome: 'queue_full' });
  });

  it('when too much waits for PostgreSQL, while content of other keys is written', async () => {
    const other = await newKeptKey(pool, groupId);
    const large = new Uint8Array(WAITING_BYTES_MAX);
    const bodies = { request: large, reply: new Uint8Array(0) };
    const contents = [{ ...captured(other), bodies }, captured(key)];
    expect(await write(pool, contents)).toMatchObject({ kept: 1, queue_full: 1 });
    expect(await stored(pool, contents[1]?.requestId ?? '')).toMatchObject({
      outcome: 'queue_full',
      request: null,
    });
  });

  it('when its account has used up its quota of the day, and other accounts have not', async () => {
    const other = await newKeptKey(pool, groupId);
    const limits = { accountDayBytesMax: 100 };
    const text = Buffer.from(crypto.getRandomValues(new Uint8Array(90))).toString('base64');
    const first = captured(key, { request: text });
    await write(pool, [first], limits);
    const second = captured(key, { request: text });
    const foreign = captured(other);
    expect(await write(pool, [second, foreign], limits)).toMatchObject({
      kept: 1,
      quota_reached: 1,
    });
    expect(await stored(pool, first.requestId)).toMatchObject({ outcome: 'kept' });
    expect(await stored(pool, second.requestId)).toMatchObject({ outcome: 'quota_reached' });
    expect(await stored(pool, foreign.requestId)).toMatchObject({ outcome: 'kept' });
  });
});

describe('while PostgreSQL is away', () => {
  it('content waits and is then written', async () => {
    const away = (): never => {
      throw new Error('connect ECONNREFUSED');
    };
    const query = vi.spyOn(pool, 'query').mockImplementationOnce(away).mockImplementationOnce(away);
    onTestFinished(() => query.mockRestore());
    const content = captured(key);
    expect(await write(pool, [content])).toMatchObject({ kept: 1, lost: 0 });
    expect(await stored(pool, content.requestId)).toMatchObject({ outcome: 'kept' });
  });
});

describe('the clean-up', () => {
  const days = async (): Promise<number[]> => {
    const { rows } = await pool.query<{ days: number }>(
      `select round(extract(epoch from now() - created_at) / 86400)::integer as days
       from content_records where key_id = $1 order by created_at desc`,
      [key.keyId],
    );
    return rows.map((row) => row.days);
  };

  beforeEach(async () => {
    await change('content_log_days = 30');
    const ages = [0, 5, 6, 8, 20];
    await write(
      pool,
      ages.map((age) => captured(key, { atMs: Date.now() - age * DAY_MS })),
    );
    await change('content_log_days = 7');
  });

  it('deletes what is older than the key keeps it, also after it was switched off', async () => {
    await change('content_log = false');
    await eraseOldContent({ pool }, DAYS_MAX);
    expect(await days()).toEqual([0, 5, 6]);
  });

  it('deletes what is older than the operator allows, and all where nothing is allowed', async () => {
    await eraseOldContent({ pool }, 6);
    expect(await days()).toEqual([0, 5]);
    await eraseOldContent({ pool }, 0);
    expect(await days()).toEqual([]);
  });

  it('deletes what was erased, and what comes later stays', async () => {
    await change(`content_erased_before = now() - interval '5 days 12 hours'`);
    await eraseOldContent({ pool }, DAYS_MAX);
    expect(await days()).toEqual([0, 5]);
  });

  it('deletes everything of a deleted key, and nothing of others', async () => {
    const other = await newKeptKey(pool, groupId);
    const content = captured(other);
    await write(pool, [content]);
    await change(`status = 'deleted'`);
    await eraseOldContent({ pool }, DAYS_MAX);
    expect(await days()).toEqual([]);
    expect(await stored(pool, content.requestId)).toBeDefined();
    const { rows } = await pool.query(
      'select content_log_member_id as member from keys where id = $1',
      [key.keyId],
    );
    expect(rows).toEqual([{ member: null }]);
  });
});
