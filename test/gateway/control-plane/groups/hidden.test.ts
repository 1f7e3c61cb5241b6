/**
 * Random groups, accounts and prices: nobody is shown a group that is not for them by any route
 * that they may call, or can use one by guessing its id.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { sampleBody, sampleParams } from '../support/sample-bodies.ts';

const SEED = 20_261_128;
const GROUPS = 8;
const ACCOUNTS = 3;
const NOBODY = '00000000-0000-7000-8000-000000000000';

let fixture: AdminFixture;
let admin: Person;
let world: World;

interface HiddenThing {
  readonly groupId: string;
  readonly planId: string;
  readonly modelId: string;
  /** Texts that only a view of the group, its model or its plan has in it. */
  readonly marks: readonly string[];
}

interface Visitor {
  readonly as: Person | undefined;
  /** A key of an open group. */
  readonly keyId: string;
  readonly hidden: readonly HiddenThing[];
}

interface World {
  readonly visitors: readonly Visitor[];
}

const shapes = fc.array(
  fc.record({
    access: fc.constantFrom('public' as const, 'code' as const, 'chosen' as const),
    active: fc.boolean(),
    members: fc.uniqueArray(fc.nat(ACCOUNTS - 1), { maxLength: ACCOUNTS }),
    own: fc.option(fc.constantFrom('0.5', '0.25')),
  }),
  { minLength: GROUPS, maxLength: GROUPS },
);

async function makeThing(index: number): Promise<HiddenThing> {
  const name = `shrouded-${String(index)}`;
  const group = await fixture.ask('createGroup', { as: admin, body: { name } });
  const groupId = group.reply.id;
  const publicId = `veiled-${String(index)}`;
  const model = await fixture.ask('createModel', {
    as: admin,
    body: { publicId, contextTokensMax: 8192, outputTokensMax: 4096, groupIds: [groupId] },
  });
  await fixture.ask('createPrice', {
    as: admin,
    params: { modelId: model.reply.id },
    body: { inputUsd: '2', outputUsd: '10' },
  });
  const plan = await fixture.ask('createPlan', {
    as: admin,
    body: {
      name: `secluded-${String(index)}`,
      priceUsd: '0',
      groupIds: [groupId],
      allowances: [{ window: 'month', limitUsd: '20' }],
    },
  });
  const ids = { groupId, planId: plan.reply.id, modelId: model.reply.id };
  return { ...ids, marks: [name, publicId, plan.reply.name, ...Object.values(ids)] };
}

/** A world in which everybody has a group, and nobody all of them. */
async function makeWorld(): Promise<World> {
  const people = [await fixture.user(), await fixture.user(), await fixture.user()];
  const [drawn = []] = fc.sample(shapes, { numRuns: 1, seed: SEED });
  const fixed = { active: true, members: [], own: null };
  const drawnShapes = [
    ...drawn,
    { ...fixed, access: 'public' as const },
    { ...fixed, access: 'chosen' as const },
  ];
  const things = [];
  for (const [index, shape] of drawnShapes.entries()) {
    const thing = await makeThing(index);
    const params = { groupId: thing.groupId };
    const body = { access: shape.access, status: shape.active ? 'active' : 'disabled' };
    await fixture.ask('updateGroup', { as: admin, anyVersion: true, params, body });
    const accountIds = shape.members.flatMap((at) => people[at]?.accountId ?? []);
    const given = { accountIds, multiplier: shape.own };
    if (accountIds.length > 0) {
      await fixture.ask('addGroupAccounts', { as: admin, params, body: given });
    }
    things.push({ ...shape, thing });
  }
  // Of the last group, which nobody was given.
  const defaultModel = things.at(-1)?.thing.marks[1] ?? '';
  await fixture.ask('updateSettings', { as: admin, anyVersion: true, body: { defaultModel } });
  const open = things.find(({ access, active }) => access === 'public' && active)?.thing;
  const visitors: Visitor[] = [];
  for (const [at, as] of [...people, undefined].entries()) {
    const key = as && (await makeKey(fixture, as, open?.groupId ?? ''));
    const hidden = things
      .filter(({ access, members }) => access !== 'public' && !members.includes(at))
      .map(({ thing }) => thing);
    visitors.push({ as, keyId: key?.id ?? NOBODY, hidden });
  }
  return { visitors };
}

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  world = await makeWorld();
});
afterAll(() => fixture.close());

const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).map(
  ([id, route]): [RouteId, AdminRoute] => [id as RouteId, route],
);

/** They end the session, or the account's keys, for all that follows. */
const ENDING: readonly RouteId[] = ['logOut', 'deleteKey', 'revokeOtherSessions', 'changePassword'];

/** A body with the ids of something hidden wherever there is room for such an id. */
function guessing(id: RouteId, thing: HiddenThing): object | undefined {
  const body: object | undefined = sampleBody(id);
  if (body === undefined) return undefined;
  const guessed = {
    ...('groupId' in body || id === 'updateKey' ? { groupId: thing.groupId } : {}),
    ...('planId' in body ? { planId: thing.planId } : {}),
    ...('text' in body ? { text: thing.marks[1] } : {}),
  };
  return { ...body, ...guessed };
}

describe('no account or visitor', () => {
  it('has all groups, so that there is something to hide from each', () => {
    for (const { hidden } of world.visitors) expect(hidden.length).toBeGreaterThan(1);
    expect(new Set(world.visitors.map(({ hidden }) => hidden.length)).size).toBeGreaterThan(1);
  });

  it.each(routes.filter(([id]) => !ENDING.includes(id)))(
    'is shown a group that is not for it by %s',
    async (id, { path }) => {
      for (const { as, hidden, keyId } of world.visitors) {
        const requests = new Map(
          hidden.map((thing) => {
            const names = {
              ...sampleParams(path),
              ...thing,
              keyId,
              accountId: as?.accountId ?? NOBODY,
            };
            const params = Object.fromEntries(
              Object.entries(names).filter(([name]) => path.includes(`:${name}`)),
            ) as Record<string, string>;
            const body = guessing(id, thing);
            const request = { params, ...(body && { body }) };
            return [JSON.stringify(request), request];
          }),
        );
        // Most requests name no group: one of them is as good as one for each hidden group.
        for (const request of requests.values()) {
          const { text } = await fixture.ask(id, { as, anyVersion: true, ...request });
          const shown = hidden.flatMap(({ marks }) => marks).filter((mark) => text.includes(mark));
          expect(shown).toEqual([]);
        }
      }
    },
  );

  it.each(['createKey', 'createKeyBatch', 'updateKey', 'buySubscription', 'createOrder'] as const)(
    'can tell a group that is not for it from one that is not there, by %s',
    async (id) => {
      const nowhere = { groupId: NOBODY, planId: NOBODY, modelId: NOBODY, marks: ['', 'none'] };
      for (const { as, hidden, keyId } of world.visitors) {
        if (as === undefined) continue;
        const refused = async (thing: HiddenThing) => {
          const body = {
            ...guessing(id, thing),
            ...(id === 'createOrder' ? { kind: 'plan' } : {}),
          };
          const asked = { as, anyVersion: true, params: { keyId }, body };
          const { requestId: _id, ...problem } = (await fixture.ask(id, asked)).problem;
          return problem;
        };
        const unknown = await refused(nowhere);
        for (const thing of hidden) expect(await refused(thing)).toEqual(unknown);
      }
    },
  );
});
