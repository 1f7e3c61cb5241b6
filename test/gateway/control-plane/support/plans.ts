import { randomBytes } from 'node:crypto';
import type { PlanDetail } from '@weir/shared/plans';
import type { AdminGround, Person } from './ground.ts';

/** A plan for a group, made through the API. */
export async function makePlan(
  ground: AdminGround,
  admin: Person,
  options: { readonly groupId: string; readonly priceUsd?: string; readonly periodDays?: number },
): Promise<PlanDetail> {
  const made = await ground.ask('createPlan', {
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
export function buyPlan(ground: AdminGround, as: Person, planId: string, body: object = {}) {
  return ground.ask('buySubscription', { as, body: { planId, ...body } });
}

/** The newest subscription of an account, as its owner sees it. */
export async function subscriptionOf(ground: AdminGround, owner: Person) {
  const { data } = (await ground.ask('listOwnSubscriptions', { as: owner })).reply;
  return data[0];
}
