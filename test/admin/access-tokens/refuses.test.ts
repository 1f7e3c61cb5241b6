import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let owner: Person;

beforeAll(async () => {
  ground = await layAdminGround();
  owner = await ground.user();
});
afterAll(() => ground.close());

describe('an access token is refused', () => {
  it.each([
    [{ scope: 'root' }, 'scope'],
    [{ name: '  ' }, 'name'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('with %j', async (body, field) => {
    const made = await ground.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read', ...body },
    });
    expect(made.status).toBe(400);
    expect(made.problem.errors?.[0]?.field).toBe(field);
  });

  it('beyond the number there may be, also many at once', async () => {
    const person = await ground.user();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_value, index) =>
        ground.ask('createAccessToken', {
          as: person,
          body: { name: `token ${String(index)}`, scope: 'read' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused?.problem.code).toBe('limit_reached');
  });

  it('to be deleted by someone else', async () => {
    const made = await ground.ask('createAccessToken', {
      as: owner,
      body: { name: 'script', scope: 'read' },
    });
    const stranger = await ground.user();
    const params = { accessTokenId: made.reply.id };
    const tried = await ground.ask('deleteAccessToken', { as: stranger, params });
    expect(tried.problem.code).toBe('not_found');
    expect((await ground.ask('getOwnUser', { as: { token: made.reply.token } })).status).toBe(200);
  });

  it('when its user is disabled', async () => {
    const person = await ground.user();
    const admin = await ground.admin();
    const body = { name: 'script', scope: 'full' };
    const { token } = (await ground.ask('createAccessToken', { as: person, body })).reply;
    await ground.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: person.userId },
      body: { disabled: true },
    });
    expect((await ground.ask('getOwnUser', { as: { token } })).status).toBe(401);
  });
});
