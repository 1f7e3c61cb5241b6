import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';
import { startRefusingUpstream, type RefusingUpstream } from '../support/refusing-upstream.ts';

let billing: BillingFixture;
let upstream: RefusingUpstream;

beforeAll(async () => {
  billing = await openBillingFixture();
  upstream = await startRefusingUpstream();
});

beforeEach(() => {
  upstream.bodies.length = 0;
  upstream.refuse = () => undefined;
});

afterAll(async () => {
  await billing.close();
  await upstream.close();
});

async function newCustomer(): Promise<Customer> {
  const customer = await billing.newCustomer();
  await billing.pool.query(
    `update channels set base_url = $2, protocols = '{openai-chat}' where id = any($1::uuid[])`,
    [customer.seeded.channelIds.slice(0, 1), upstream.url],
  );
  await billing.pool.query(`update channels set status = 'disabled' where id = any($1::uuid[])`, [
    customer.seeded.channelIds.slice(1),
  ]);
  await customer.republish();
  return customer;
}

/** Refuses the first of these fields that a body has, in OpenAI's words. */
function refuseAll(...fields: readonly string[]): void {
  upstream.refuse = (body) => {
    const field = fields.find((one) => one in body);
    if (field === undefined) return undefined;
    const message = `Unsupported parameter: '${field}' is not supported with this model.`;
    return { error: { error: { message, param: field, code: 'unsupported_parameter' } } };
  };
}

function dropped(response: Response): readonly string[] {
  return response.headers.get('x-weir-dropped-fields')?.split(', ') ?? [];
}

function askMessages({ seeded, model }: Customer, body: object): Promise<Response> {
  return fetch(`${billing.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': seeded.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      ...body,
    }),
  });
}

describe('a field that an upstream refuses by name', () => {
  it('is left out, named and billed once; the next request leaves it out at once', async () => {
    const customer = await newCustomer();
    refuseAll('temperature');
    for (const sent of [2, 3]) {
      const response = await customer.send({ temperature: 0.5, top_p: 0.9 });
      expect(response.status).toBe(200);
      expect(dropped(response)).toEqual(['temperature']);
      expect(upstream.bodies).toHaveLength(sent);
      expect(upstream.bodies.at(-1)).not.toHaveProperty('temperature');
      expect(upstream.bodies.at(-1)).toHaveProperty('top_p', 0.9);
    }
    const { records } = await customer.bill();
    expect(records.map(({ attempts }) => attempts).toSorted()).toEqual([1, 2]);
    expect(new Set(records.map(({ cost }) => cost)).size).toBe(1);
  });

  it('is left out of a stream too', async () => {
    const customer = await newCustomer();
    refuseAll('stream_options');
    for (const sent of [2, 3]) {
      const response = await customer.send({ stream: true });
      expect(await response.text()).toContain('"ok"');
      // Weir had added it: the client misses nothing.
      expect(dropped(response)).toEqual([]);
      expect(upstream.bodies).toHaveLength(sent);
    }
  });

  it('is left out where its value is the default, and kept where it is another', async () => {
    const customer = await newCustomer();
    refuseAll('n');
    for (const sent of [2, 3]) {
      const response = await customer.send({ n: 1 });
      expect(response.status).toBe(200);
      expect(dropped(response)).toEqual([]);
      expect(upstream.bodies).toHaveLength(sent);
    }
    expect((await customer.send({ n: 2 })).status).toBe(400);
    expect(upstream.bodies.at(-1)).toHaveProperty('n', 2);
  });

  it('is left out as a whole object', async () => {
    const customer = await newCustomer();
    refuseAll('thinking');
    for (const sent of [2, 3]) {
      const response = await customer.send({ thinking: { type: 'enabled', display: 'omitted' } });
      expect(response.status).toBe(200);
      expect(dropped(response)).toEqual(['thinking']);
      expect(upstream.bodies).toHaveLength(sent);
    }
  });

  it('may be followed by others, one at a time', async () => {
    const customer = await newCustomer();
    refuseAll('user', 'store', 'metadata', 'seed');
    const fields = { user: 'u', store: false, metadata: { a: 'b' }, seed: 1 };
    for (const sent of [5, 6]) {
      const response = await customer.send(fields);
      expect(response.status).toBe(200);
      expect(dropped(response).toSorted()).toEqual(['metadata', 'seed', 'store', 'user']);
      expect(upstream.bodies).toHaveLength(sent);
    }
  });

  it('is left out as well when the refusal comes as the reply', async () => {
    const customer = await newCustomer();
    upstream.refuse = (body) =>
      'seed' in body
        ? {
            status: 200,
            error: { error: { message: "property 'seed' is unsupported", code: 400 } },
          }
        : undefined;
    for (const stream of [false, true]) {
      const response = await customer.send({ seed: 1, stream });
      expect(await response.text()).toContain('"ok"');
      expect(dropped(response)).toEqual(['seed']);
    }
    expect(upstream.bodies).toHaveLength(3);
    const { records } = await customer.bill();
    expect(new Set(records.map(({ cost }) => cost)).size).toBe(1);
  });

  it('goes to the client in the vendor’s words when nothing is left to leave out', async () => {
    const customer = await newCustomer();
    upstream.refuse = () => ({
      error: {
        error: {
          message: 'Your organization must be verified to stream this model. Please go to: x',
          type: 'invalid_request_error',
          param: 'stream',
          code: 'unsupported_value',
        },
      },
    });
    // No channel is left alone for it: the second request is refused alike.
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await customer.send();
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('must be verified to stream this model');
    }
  });

  it('is named as a client of another protocol calls it', async () => {
    const customer = await newCustomer();
    refuseAll('parallel_tool_calls');
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];
    const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    const response = await askMessages(customer, { tools, tool_choice });
    expect(response.status).toBe(200);
    expect(upstream.bodies).toHaveLength(2);
    expect(dropped(response)).toEqual(['tool_choice.disable_parallel_tool_use']);
  });

  it('goes to the client where the request means something else without it', async () => {
    const customer = await newCustomer();
    refuseAll('response_format');
    const response = await customer.send({ response_format: { type: 'json_object' } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("'response_format' is not supported");
    expect(upstream.bodies).toHaveLength(1);
  });

  it('goes to the client where its value is at fault', async () => {
    const customer = await newCustomer();
    upstream.refuse = ({ temperature }) =>
      Number(temperature) > 1
        ? {
            status: 422,
            error: {
              error: {
                message:
                  "Invalid 'temperature': decimal above maximum value. Expected a value <= 1, but got 2.",
                param: 'temperature',
                code: 'decimal_above_max_value',
              },
            },
          }
        : undefined;
    expect((await customer.send({ temperature: 2 })).status).toBe(400);
    expect((await customer.send({ temperature: 1 })).status).toBe(200);
    expect(upstream.bodies.at(-1)).toHaveProperty('temperature', 1);
  });
});

describe('an error that repeats what the client has written', () => {
  const SENTENCE = "Unsupported parameter: 'temperature' is not supported with this model.";

  it('teaches nothing, whatever is in the request', async () => {
    const customer = await newCustomer();
    const messages = [{ role: 'user', content: SENTENCE }];
    upstream.refuse = (body) => {
      const [first] = body['messages'] as readonly { content: string }[];
      return first?.content === SENTENCE ? { error: { error: { message: SENTENCE } } } : undefined;
    };
    const refused = await customer.send({ temperature: 0.5, messages });
    expect(refused.status).toBe(400);
    // Once more without it, in vain.
    expect(upstream.bodies).toHaveLength(2);
    const next = await customer.send({ temperature: 0.5 });
    expect(next.status).toBe(200);
    expect(upstream.bodies.at(-1)).toHaveProperty('temperature', 0.5);
    expect(dropped(next)).toEqual([]);
  });

  it('leaves nothing out for good when it repeats a field that is not its reason', async () => {
    const customer = await newCustomer();
    upstream.refuse = ({ tools }) =>
      JSON.stringify(tools ?? []).includes('proxy/exec')
        ? { error: { error: { message: SENTENCE } } }
        : undefined;
    const parameters = { type: 'object', properties: {} };
    const tools = [{ type: 'function', function: { name: 'proxy/exec', parameters } }];
    const response = await customer.send({ temperature: 0.5, tools });
    expect(response.status).toBe(200);
    expect(dropped(response)).toEqual([]);
    // As it came, without the field in vain, and fitted.
    expect(upstream.bodies).toHaveLength(3);
    expect(upstream.bodies.at(-1)).toHaveProperty('temperature', 0.5);
    await customer.send({ temperature: 0.5 });
    expect(upstream.bodies.at(-1)).toHaveProperty('temperature', 0.5);
  });

  it('sends nothing again for a field that the request does not have', async () => {
    const customer = await newCustomer();
    upstream.refuse = () => ({ error: { error: { message: SENTENCE } } });
    expect((await customer.send()).status).toBe(400);
    expect(upstream.bodies).toHaveLength(1);
  });

  it('ends after a few more tries, and leaves no money held', async () => {
    const customer = await newCustomer();
    const fields = ['user', 'seed', 'top_p', 'store', 'metadata', 'logit_bias', 'temperature'];
    refuseAll(...fields, 'messages');
    const body = { user: 'u', seed: 1, top_p: 1, store: true, metadata: {}, logit_bias: {} };
    const response = await customer.send({ ...body, temperature: 1 });
    expect(response.status).toBe(400);
    // Six times without one field more, and once fitted to the target.
    expect(upstream.bodies).toHaveLength(8);
    expect(await customer.held()).toBe(0);
  });
});
