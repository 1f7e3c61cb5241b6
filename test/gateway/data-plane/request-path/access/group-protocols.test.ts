/** Groups that are for some tools: others are told, in their own dialect, which group they need. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

interface Families {
  readonly customer: Customer;
  /** The name of the other group, which has the same model. */
  readonly other: string;
  readonly ask: (
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/**
 * A customer with a key of a group for `own`; another group with the same model is for `others`.
 */
async function families(own: string[], others: string[] | null): Promise<Families> {
  const customer = await billing.newCustomer();
  const { groupId, key } = customer.seeded;
  const other = `Family ${randomUUID()}`;
  await billing.pool.query('update groups set protocols = $2 where id = $1', [groupId, own]);
  await billing.pool.query(
    `with family as (insert into groups (id, name, protocols) values (gen_random_uuid(), $1, $3) returning id)
     insert into group_models (group_id, model_id)
     select family.id, model_id from family, group_models where group_id = $2`,
    [other, groupId, others],
  );
  await customer.republish();
  const origin = new URL((await customer.get('/v1/models')).url).origin;
  const ask: Families['ask'] = (path, body, headers = {}) =>
    fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { customer, other, ask };
}

const TURN = [{ role: 'user', content: 'Hello' }];

/** A request of each tool, and the status by which it stops. */
const TOOLS = [
  ['openai-chat', '/v1/chat/completions', { messages: TURN }, 403],
  ['openai-completions', '/v1/completions', { prompt: 'Hello' }, 403],
  ['openai-embeddings', '/v1/embeddings', { input: 'Hello' }, 403],
  // Codex sends a request again after a 403.
  ['openai-responses', '/v1/responses', { input: 'Hello' }, 400],
  ['openai-responses', '/v1/responses/input_tokens', { input: 'Hello' }, 400],
  ['anthropic-messages', '/v1/messages', { messages: TURN, max_tokens: 9 }, 403],
  ['anthropic-messages', '/v1/messages/count_tokens', { messages: TURN }, 403],
  [
    'gemini',
    '/v1beta/models/MODEL:generateContent',
    { contents: [{ parts: [{ text: 'Hi' }] }] },
    403,
  ],
  ['gemini', '/v1beta/models/MODEL:countTokens', { contents: [{ parts: [{ text: 'Hi' }] }] }, 403],
] as const;

describe('a key of a group for other tools', () => {
  it.each(TOOLS)('is refused %s at %s, and told which group it needs', async (...tool) => {
    const [protocol, path, body, status] = tool;
    const own = protocol === 'gemini' ? 'anthropic-messages' : 'gemini';
    const { customer, other, ask } = await families([own], [protocol]);
    const reply = await ask(path.replace('MODEL', customer.model), {
      model: customer.model,
      ...body,
    });
    const text = await reply.text();
    expect([reply.status, text]).toEqual([status, expect.stringContaining(`group \\"${other}\\"`)]);
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(billing.first.requests).toHaveLength(0);
    expect(await customer.bill()).toEqual({ charged: 0, records: [] });
  });

  it.each([
    ['anthropic-messages', '/v1/models', { 'anthropic-version': '2023-06-01' }],
    ['gemini', '/v1beta/models', {}],
  ])('gets no list of models as a tool of %s', async (protocol, path, headers) => {
    const { customer, ask, other } = await families(['openai-chat'], [protocol]);
    const list = await ask(path, undefined, headers);
    expect(list.status).toBe(403);
    expect(await list.text()).toContain('is for tools that use chat completions');
    expect(other).not.toBe('');
    expect((await customer.get('/v1/models')).status).toBe(200);
  });

  it('is told so where no group is for its tool', async () => {
    await billing.pool.query(`update groups set protocols = '{gemini}'`);
    const { customer } = await families(['gemini'], ['openai-responses']);
    const reply = await customer.send();
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('protocol_not_allowed');
    expect(error.message).toContain('No group is for it yet');
  });
});

describe('a key of a group for its tool', () => {
  it.each([
    ['is served', ['openai-chat', 'gemini']],
    ['is served where the group is for all', null],
  ])('%s', async (_how, own) => {
    const { customer } = await families(['gemini'], null);
    await billing.pool.query('update groups set protocols = $2 where id = $1', [
      customer.seeded.groupId,
      own,
    ]);
    await customer.republish();
    expect((await customer.send()).status).toBe(200);
  });
});
