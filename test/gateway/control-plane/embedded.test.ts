/**
 * The admin API on the database that Weir brings itself, which is what a newcomer's first start
 * runs on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/admin-routes';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { closeUsageDays } from '../../../gateway/control-plane/usage/close-days.ts';
import {
  startEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../../gateway/stores/postgres/embedded.ts';
import { layEmbeddedDatabase } from '../../support/embedded.ts';
import { availableOf, giveMoney, makeCatalog, makeKey } from './support/catalog.ts';
import { layAdminGround, type AdminGround, type Person } from './support/ground.ts';
import { makePlan } from './support/plans.ts';
import { sampleBody, sampleParams } from './support/sample-bodies.ts';
import { insertUsage } from './support/usage.ts';

let folder: string;
let database: EmbeddedDatabase;
let ground: AdminGround;
let admin: Person;

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
  ground = await layAdminGround({ pool });
  admin = await ground.admin();
});
afterAll(async () => {
  await ground.close();
  await database.stop();
  rmSync(folder, { recursive: true });
});

const ENDING: readonly string[] = ['logOut', 'revokeOtherSessions', 'changePassword'];
const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).filter(([id]) => !ENDING.includes(id));

describe('on the embedded database', () => {
  it.each(routes)('%s answers without a failure of its own', async (name, route) => {
    const id = name as RouteId;
    const body = sampleBody(id);
    const answered = await ground.ask(id, {
      as: admin,
      anyVersion: true,
      params: sampleParams(route.path),
      ...(body === undefined ? {} : { body }),
    });
    expect([500, 503], answered.text).not.toContain(answered.status);
  });

  it('money goes in, buys a plan and is used', async () => {
    const owner = await ground.user();
    const { groupId, publicId } = await makeCatalog(ground, admin);
    const plan = await makePlan(ground, admin, { groupId });
    const keyId = (await makeKey(ground, owner, groupId)).id;
    await giveMoney(ground, { admin, to: owner, amountUsd: '25' });
    const buy = () => ground.ask('buySubscription', { as: owner, body: { planId: plan.id } });
    const bought = await Promise.all([buy(), buy(), buy()]);
    expect(bought.map(({ status }) => status).toSorted()).toEqual([201, 201, 402]);
    expect(await availableOf(ground, owner)).toBe('5');
    const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
    await insertUsage(ground.pool, [record, record]);
    const page = await ground.ask('listOwnUsageRecords', { as: owner });
    expect(page.reply.data).toHaveLength(2);
    await insertUsage(ground.pool, [{ ...record, createdAtMs: Date.now() - 3 * 86_400_000 }]);
    await closeUsageDays({ pool: ground.pool });
    const everyone = await ground.ask('listUsageDays', { as: admin });
    expect(everyone.reply.data.map(({ requests }) => requests)).toEqual([1, 2]);
    const from = new Date().toISOString().slice(0, 10);
    const days = await ground.ask('listOwnUsageDays', { as: owner, query: { by: 'key', from } });
    expect(days.reply.data).toMatchObject([{ of: keyId, label: 'a key', requests: 2 }]);
  });
});
