import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';

let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture({ limits: { requestsPerMinute: 5 } });
});
afterAll(() => fixture.close());

const alive = () => fixture.app.inject({ url: '/health' });

describe('the health of the admin API', () => {
  it('is told where the gateway tells its own, however many ask from one address', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const answered = await alive();
      expect([answered.statusCode, answered.json()]).toEqual([200, { status: 'ok' }]);
      expect(answered.headers['cache-control']).toBe('no-store');
    }
  });

  it('is never the console’s page, whatever a browser accepts', async () => {
    const answered = await fixture.app.inject({ url: '/health', headers: { accept: 'text/html' } });
    expect(answered.headers['content-type']).toContain('application/json');
  });

  it('does not depend on the database, whose own health is told elsewhere', async () => {
    expect((await fixture.ask('getHealth')).reply).toEqual({ status: 'ok' });
    const query = fixture.pool.query.bind(fixture.pool);
    fixture.pool.query = () => Promise.reject(new Error('the database is away'));
    expect((await fixture.ask('getHealth')).problem.code).toBe('internal_error');
    expect((await alive()).statusCode).toBe(200);
    fixture.pool.query = query;
  });

  it('is 503 to everyone who needs the database while it is away, with words and a time to wait', async () => {
    const pool = openPool('postgres://127.0.0.1:9/none', {
      connectionsMax: 1,
      applicationName: 'test',
    });
    const away = await createAdminFixture({ pool });
    const asked = await away.ask('listOwnStatements', {
      as: { token: `weir_pat_${'a'.repeat(43)}` },
    });
    expect([asked.status, asked.headers['retry-after']]).toEqual([503, '5']);
    expect(asked.problem.code).toBe('ledger_unavailable');
    expect(asked.problem.detail).toContain('Try again');
    await away.close();
  });
});
