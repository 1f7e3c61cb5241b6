import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type Served } from './support/serve.ts';

let served: Served;

beforeAll(async () => {
  served = await serve();
});

afterAll(() => served.close());

const THREADS = [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }];
const OF_WEIR = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };
const OF_ANTHROPIC = { error_code: 'thread_unsupported_request', unsupported: ['thinking'] };

describe('what Anthropic’s SDKs go on by', () => {
  it.each(THREADS)('is in the refusal of a thread that is to %j', async (thread) => {
    const customer = await served.newCustomer('anthropic');
    served.anthropic.requests.length = 0;
    const reply = await customer.messages({ thread });
    const error = { type: 'invalid_request_error', details: OF_WEIR };
    expect([reply.status, await reply.json()]).toMatchObject([400, { error }]);
    expect(served.anthropic.requests).toEqual([]);
    expect(await customer.charged()).toBe(0);
  });

  it('stays in the vendor’s own refusal', async () => {
    const customer = await served.newCustomer('anthropic');
    const error = { type: 'invalid_request_error', message: 'No.', details: OF_ANTHROPIC };
    served.anthropic.script = () => ({ status: 400, json: { type: 'error', error } });
    const reply = await customer.messages({});
    expect([reply.status, await reply.json()]).toMatchObject([400, { error }]);
    expect(await customer.charged()).toBe(0);
  });
});
