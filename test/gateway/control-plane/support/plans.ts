import { randomBytes } from 'node:crypto';
import type { PlanDetail } from '@weir/shared/money/plans';
import type { AdminFixture, Person } from './fixture.ts';

/** A plan for a group, made through the API. */
export async function makePlan(
  fixture: AdminFixture,
  admin: Person,
  options: { readonly groupId: string; readonly priceUsd?: string; readonly periodDays?: number },
): Promise<PlanDetail> {
  const made = await fixture.ask('createPlan', {
    as: admin,
    body: {
      name: `plan ${randomBytes(4).toString('hex')}`,
      priceUsd: options.priceUsd ?? '10',
      periodDays: options.periodDays ?? 30,
      groupIds: [options.groupId],
      allowances: [
        { window: 'month', limitUsd: '40' },
        { window: '5h', limitUsd: '5' },
      ],
    },
  });
  return made.reply;
}

/** Buys a plan from the balance. */
export function buyPlan(fixture: AdminFixture, as: Person, planId: string, body: object = {}) {
  return fixture.ask('buySubscription', { as, body: { planId, ...body } });
}

/** The newest subscription of an account, as its owner sees it. */
export async function subscriptionOf(fixture: AdminFixture, owner: Person) {
  const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
  return data[0];
}
