import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RequestSummary } from '../../../../gateway/platform/telemetry/request-log.ts';
import { giveMoney, makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { join, openCompany } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

async function dashboardOf(person: Person) {
  return (await fixture.ask('getDashboard', { as: person })).reply;
}

it('says of a new account that there is nothing yet, and nothing to compare with', async () => {
  const person = await fixture.user();
  expect(await dashboardOf(person)).toMatchObject({
    hasWeekBefore: false,
    trends: {
      requests: { value: 0, weekBefore: null },
      errorPercent: { value: null, weekBefore: null },
      spend: { value: '0', weekBefore: null },
    },
    forecast: { perDayUsd: '0', daysLeft: null },
    failingKeys: [],
    subscriptions: [],
  });
});

it('compares with the same hours of the week before, and names the keys that fail', async () => {
  const person = await fixture.user();
  const other = await fixture.user();
  const { groupId, publicId: model } = catalog;
  const key = await makeKey(fixture, person, groupId);
  const otherKey = await makeKey(fixture, other, groupId);
  const { accountId } = person;
  const principal = senderOf({ accountId, keyId: key.id, groupId });
  const nowMs = Date.now();
  const request = (startedAtMs: number) => {
    return { startedAtMs, firstByteAtMs: startedAtMs + 120, principal, model };
  };
  const failed: Partial<RequestSummary> = {
    ...{ status: 'failed', httpStatus: 429, refused: 'rate_limit_exceeded', tokens: null },
    ...{ firstByteAtMs: null, costNanoUsd: 0, attempts: 0, channelId: null },
  };
  await enterRequests(fixture.pool, [
    request(nowMs),
    { ...request(nowMs), ...failed },
    { ...request(nowMs), ...failed },
    // Two hours into the same span a week ago, where the hour is over, and one that is older.
    request(nowMs - 7 * DAY_MS - 2 * 3_600_000),
    request(nowMs - 9 * DAY_MS),
    {
      ...request(nowMs),
      ...failed,
      principal: senderOf({ accountId: other.accountId, keyId: otherKey.id, groupId }),
    },
  ]);
  const dashboard = await dashboardOf(person);
  expect(dashboard).toMatchObject({
    hasWeekBefore: true,
    trends: {
      requests: { value: 3, weekBefore: 1 },
      failed: { value: 2, weekBefore: 0 },
      errorPercent: { value: 66.67, weekBefore: 0 },
    },
    failingKeys: [{ id: key.id, requests: 3, failed: 2, code: 'rate_limit_exceeded' }],
  });
  expect(dashboard.trends.requests.points).toHaveLength(24);
  // In the running hour, or the one before if another has begun since.
  expect(dashboard.trends.requests.points.slice(-2)).toContain(3);
});

it('says how long the balance lasts at the pace of the last days', async () => {
  const person = await fixture.user();
  const { groupId, publicId: model } = catalog;
  const key = await makeKey(fixture, person, groupId);
  await giveMoney(fixture, { admin, to: person, amountUsd: '50' });
  await insertUsage(fixture.pool, [
    {
      ...{ accountId: person.accountId, keyId: key.id, groupId, model },
      costNanoUsd: 5_000_000_000,
    },
  ]);
  const { forecast, balance } = await dashboardOf(person);
  // An account that began today has had one day, not seven.
  expect(forecast?.perDayUsd).toBe('5');
  expect(forecast?.daysLeft).toBeCloseTo(Number(balance?.availableUsd) / 5, 1);
});

it('shows a member who sees no others the own keys alone, and no money', async () => {
  const owner = await fixture.user();
  const member = await fixture.user();
  const company = await openCompany(fixture, owner);
  await join(fixture, company, { person: member, role: 'member' });
  const { groupId, publicId: model } = catalog;
  const { accountId } = company;
  const [ofOwner, ofMember] = [
    await makeKey(fixture, owner, groupId),
    await makeKey(fixture, member, groupId),
  ];
  const startedAtMs = Date.now();
  const request = (keyId: string): Partial<RequestSummary> => ({
    ...{ startedAtMs, firstByteAtMs: startedAtMs + 120, model },
    principal: senderOf({ accountId, keyId, groupId }),
  });
  await enterRequests(fixture.pool, [
    request(ofMember.id),
    request(ofOwner.id),
    {
      ...request(ofOwner.id),
      ...{ status: 'failed', httpStatus: 429, refused: 'rate_limit_exceeded', tokens: null },
      ...{ firstByteAtMs: null, costNanoUsd: 0, attempts: 0, channelId: null },
    },
  ]);
  expect(await dashboardOf(owner)).toMatchObject({
    trends: { requests: { value: 3 } },
    failingKeys: [{ id: ofOwner.id }],
    forecast: { perDayUsd: '0' },
  });
  expect(await dashboardOf(member)).toMatchObject({
    trends: { requests: { value: 1 }, failed: { value: 0 } },
    failingKeys: [],
    ...{ balance: null, forecast: null },
  });

  const traffic = await fixture.ask('getOwnTraffic', { as: member });
  expect(traffic.reply.total).toMatchObject({ requests: 1, failed: 0 });
  const query = { keyId: ofOwner.id };
  const foreign = await fixture.ask('getOwnTraffic', { as: member, query });
  expect(foreign.problem.code).toBe('not_found');
  const ids = `${ofOwner.id},${ofMember.id}`;
  const activities = await fixture.ask('listOwnKeyActivities', { as: member, query: { ids } });
  expect(activities.reply.data).toMatchObject([{ id: ofMember.id, requests: 1 }]);
});
