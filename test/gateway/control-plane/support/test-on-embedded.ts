/**
 * The admin API on the database that Weir brings itself, which is what a newcomer's first start
 * runs on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { closeUsageDays } from '../../../../gateway/control-plane/usage/close-days.ts';
import {
  startEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../../../gateway/stores/postgres/embedded/embedded.ts';
import { layEmbeddedDatabase } from '../../../support/stores/embedded.ts';
import { availableOf, giveMoney, makeCatalog, makeKey } from './catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from './fixture.ts';
import { makePlan } from './plans.ts';
import { sampleBody, sampleParams } from './sample-bodies.ts';
import { insertUsage } from './usage.ts';
import { sampleOf } from '../../../support/sample.ts';

let folder: string;
let database: EmbeddedDatabase;
let fixture: AdminFixture;
let admin: Person;

const ENDING: readonly string[] = ['logOut', 'revokeOtherSessions', 'changePassword'];
const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).filter(([id]) => !ENDING.includes(id));

/**
 * Tests the admin API on the embedded database.
 * @param every one of so many routes is called
 */
export function testOnEmbedded(every: number): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-embedded-'));
    await layEmbeddedDatabase(folder);
    database = await startEmbeddedDatabase({
      dataDir: folder,
      onFailure: (error) => {
        throw error;
      },
      onProblem: () => undefined,
    });
    const pool = openPool(database.url, { connectionsMax: 8, applicationName: 'test' });
    fixture = await createAdminFixture({ pool });
    admin = await fixture.admin();
  });
  afterAll(async () => {
    await fixture.close();
    await database.stop();
    rmSync(folder, { recursive: true });
  });

  describe('on the embedded database', () => {
    it.each(sampleOf(routes, 0, every))(
      '%s answers without a failure of its own',
      async (name, route) => {
        const id = name as RouteId;
        const body = sampleBody(id);
        const answered = await fixture.ask(id, {
          as: admin,
          anyVersion: true,
          params: sampleParams(route.path),
          ...(body === undefined ? {} : { body }),
        });
        expect([500, 503], answered.text).not.toContain(answered.status);
      },
    );

    it('money goes in, buys a plan and is used', async () => {
      const owner = await fixture.user();
      const { groupId, publicId } = await makeCatalog(fixture, admin);
      const plan = await makePlan(fixture, admin, { groupId });
      const keyId = (await makeKey(fixture, owner, groupId)).id;
      await giveMoney(fixture, { admin, to: owner, amountUsd: '25' });
      const buy = () => fixture.ask('buySubscription', { as: owner, body: { planId: plan.id } });
      const bought = await Promise.all([buy(), buy(), buy()]);
      expect(bought.map(({ status }) => status).toSorted()).toEqual([201, 201, 402]);
      expect(await availableOf(fixture, owner)).toBe('5');
      const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
      await insertUsage(fixture.pool, [record, record]);
      const page = await fixture.ask('listOwnUsageRecords', { as: owner });
      expect(page.reply.data).toHaveLength(2);
      await insertUsage(fixture.pool, [{ ...record, createdAtMs: Date.now() - 3 * 86_400_000 }]);
      await closeUsageDays({ pool: fixture.pool });
      const everyone = await fixture.ask('listUsageDays', { as: admin });
      expect(everyone.reply.data.map(({ requests }) => requests)).toEqual([1, 2]);
      const from = new Date().toISOString().slice(0, 10);
      const days = await fixture.ask('listOwnUsageDays', { as: owner, query: { by: 'key', from } });
      expect(days.reply.data).toMatchObject([{ of: keyId, label: 'a key', requests: 2 }]);
    });
  });
}
