import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import {
  type BillingFixture,
  costOf,
  type Customer,
  customerWithCachePrices,
  openBillingFixture,
  OUTPUT_TOKENS_MAX,
} from './support/billing-fixture.ts';

const CONTEXT_TOKENS_MAX = 128_000;
/** The default slice of a stream's hold. */
const SLICE_TOKENS = 2_048;
const STREAM = { stream: true };
const NOTHING = { charged: 0, records: [] };

function usageOf(input: number, output: number) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

async function openUpstream(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Leaves as soon as the upstream has the request. */
async function leave(billing: BillingFixture, customer: Customer, body: object): Promise<void> {
  const leaving = new AbortController();
  const reply = customer.send(body, { signal: leaving.signal }).catch(() => undefined);
  await billing.first.untilRequests(1);
  leaving.abort();
  await reply;
}

/** Each of these is billed wrongly by some gateway; ARCHITECTURE.md says by which. */
describe('the bill', () => {
  let billing: BillingFixture;

  beforeAll(async () => {
    billing = await openBillingFixture();
  });

  afterAll(async () => {
    await billing.close();
  });

  describe('is nothing, and nothing stays held,', () => {
    it('when no channel can be connected to', async () => {
      const customer = await billing.newCustomer();
      await Promise.all([billing.first.refuse(), billing.second.refuse()]);
      expect((await customer.send()).status).toBe(502);
      expect((await customer.send(STREAM)).status).toBe(502);
      expect(await customer.bill()).toEqual(NOTHING);
      await Promise.all([billing.first.accept(), billing.second.accept()]);
    });

    it.each([
      ['an error event inside a 200 stream', { end: 'error_event', cutAfterEvents: 0 }],
      ['an error event after the role', { end: 'error_event', cutAfterEvents: 1 }],
      ['a connection cut before content', { end: 'reset', cutAfterEvents: 1 }],
    ] as const)('when every channel answers with %s', async (_name, broken) => {
      const customer = await billing.newCustomer();
      for (const upstream of [billing.first, billing.second]) {
        upstream.behave('*', { kind: 'reply', usage: usageOf(50, 50), ...broken });
      }
      expect((await customer.send(STREAM)).status).toBe(502);
      expect(await customer.bill()).toEqual(NOTHING);
    });

    it('when the client leaves while the upstream is being connected to', async () => {
      const customer = await billing.newCustomer();
      const leaving = new AbortController();
      // Answers no TLS handshake.
      const silent = new Server((socket) => {
        socket.on('error', () => undefined);
        leaving.abort();
      });
      onTestFinished(() => void silent.close());
      await customer.moveTo((await openUpstream(silent)).replace('http:', 'https:'));
      await expect(customer.send(STREAM, { signal: leaving.signal })).rejects.toThrow('aborted');
      expect(await customer.bill()).toEqual(NOTHING);
    });

    it('when the model has no price: it is not served', async () => {
      const customer = await billing.newCustomer();
      await billing.pool.query(
        `insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
         values (gen_random_uuid(), 'priceless', 'priceless', 1000, 1000)`,
      );
      await billing.pool.query(
        `insert into group_models (group_id, model_id) select $1, id from models where public_id = 'priceless'`,
        [customer.seeded.groupId],
      );
      await customer.republish();
      expect((await customer.send({ model: 'priceless' })).status).toBe(404);
      expect(billing.first.requests).toHaveLength(0);
      expect(await customer.bill()).toEqual(NOTHING);
    });
  });

  it.each([
    ['a reply', {}],
    ['a stream', STREAM],
  ])(
    'is a record of nothing when the client leaves before any output of %s, whose upstream is let go',
    async (_name, body) => {
      const customer = await billing.newCustomer();
      await billing.pool.query(
        `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd, per_call_nano_usd)
         select id, '2021-01-01', 2e9, 2e9, 2e9, 1e10, 1e6 from models where public_id = $1`,
        [customer.model],
      );
      await customer.republish();
      billing.first.behave('*', { kind: 'reply', headersDelayMs: HANG_MS });
      await leave(billing, customer, body);
      const { charged, records } = await customer.bill();
      expect(charged).toBe(0);
      expect(records).toMatchObject([{ cost: 0, status: 'client_disconnected', attempts: 1 }]);
      await billing.first.requests[0]?.closed;
      expect(billing.first.requests[0]?.outcome).toBe('client_disconnected');
      expect(billing.second.requests).toHaveLength(0);
    },
  );

  it('is for the attempt that was delivered alone', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', {
      kind: 'reply',
      usage: usageOf(900, 900),
      end: 'error_event',
      cutAfterEvents: 0,
    });
    billing.second.behave('*', { kind: 'reply', usage: usageOf(11, 4) });
    await (await customer.send(STREAM)).text();
    expect(await customer.bill()).toEqual({
      charged: costOf(11, 4),
      records: [expect.objectContaining({ cost: costOf(11, 4), attempts: 2 })],
    });
  });

  it.each([
    ['zero for a reply', usageOf(0, 0), {}],
    ['zero for a stream', usageOf(0, 0), STREAM],
    ['half for a stream', usageOf(0.5, 0.5), STREAM],
  ])('counts tokens when the upstream reports %s', async (_name, usage, body) => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', pieces: ['Hello', ' world'], usage });
    const asking = { ...body, stream_options: { include_usage: true } };
    const told = await (await customer.send(asking)).text();
    expect(told).toContain('"usage":{"prompt_tokens":8,"completion_tokens":2,"total_tokens":10,');
    const { charged, records } = await customer.bill();
    expect(charged).toBe(costOf(8, 2));
    expect(records).toMatchObject([{ cost: charged, estimated: true }]);
  });

  it.each([
    ['as it was sent', OUTPUT_TOKENS_MAX, OUTPUT_TOKENS_MAX],
    ['lowered to what the model can do', OUTPUT_TOKENS_MAX + 1, OUTPUT_TOKENS_MAX],
  ])(
    'is for no more than the upstream was asked for: a limit goes up %s',
    async (_name, asked, sent) => {
      for (const name of ['max_tokens', 'max_completion_tokens']) {
        const customer = await billing.newCustomer();
        billing.first.behave('*', { kind: 'reply', usage: usageOf(8, 3) });
        await (await customer.send({ [name]: asked, top_k: 1 })).text();
        expect(billing.first.requests[0]?.body).toEqual({
          model: customer.model,
          messages: [{ role: 'user', content: 'Hello' }],
          [name]: sent,
          top_k: 1,
        });
        expect((await customer.bill()).charged).toBe(costOf(8, 3));
      }
    },
  );

  it.each([
    ['output of', 'a reply', {}, usageOf(10, 0), costOf(10, 2)],
    ['output of', 'a stream', STREAM, usageOf(10, 0), costOf(10, 2)],
    ['prompt of', 'a reply', {}, usageOf(0, 7), costOf(8, 7)],
    ['prompt of', 'a stream', STREAM, usageOf(0, 7), costOf(8, 7)],
    ['prompt named of', 'a stream', STREAM, { completion_tokens: 7 }, costOf(8, 7)],
  ])('counts what is missing when the upstream reports no %s %s', async (...row) => {
    const [, , body, usage, cost] = row;
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', pieces: ['Hello', ' world'], usage });
    await (await customer.send(body)).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(cost);
    expect(records).toMatchObject([{ cost: charged, estimated: true }]);
  });

  it('is what was reported when the reply is empty, or its prompt whole in a cache', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', [
      { kind: 'reply', pieces: [], usage: usageOf(10, 0) },
      { kind: 'reply', usage: { ...usageOf(0, 4), cache_read_input_tokens: 30 } },
    ]);
    await (await customer.send()).text();
    await (await customer.send()).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(costOf(10, 0) + costOf(30, 4));
    expect(records.map(({ estimated }) => estimated)).toEqual([false, false]);
  });

  it('is what was reported when the client leaves with the finish_reason and the usage comes after it', async () => {
    const customer = await billing.newCustomer();
    const choices = [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }];
    const [event, last] = [{ choices }, { choices: [], usage: usageOf(30, 400) }].map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    let sendUsage: () => void = () => undefined;
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event);
      sendUsage = () => response.end(`${last}data: [DONE]\n\n`);
    });
    await customer.moveTo(`${await openUpstream(upstream)}/v1`);
    // In this thread, whose clock stands still: usage is waited for a second only.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const gateway = await startGatewayInProcess(billing, (context) => context);
    const leaving = new AbortController();
    const reply = await customer.send(STREAM, { signal: leaving.signal, url: gateway.url });
    let text = '';
    for await (const bytes of reply.body ?? []) {
      text += Buffer.from(bytes).toString();
      if (text.includes('"finish_reason":"stop"')) break;
    }
    leaving.abort();
    // What comes over a later connection is served after the end of this one.
    await (await fetch(`${gateway.url}/health`)).text();
    sendUsage();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(costOf(30, 400));
    expect(records).toMatchObject([
      { cost: charged, estimated: false, status: 'client_disconnected' },
    ]);
    await gateway.close();
    upstream.close();
  });

  it('is capped to what the model can do when the upstream reports the impossible, and says so', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: usageOf(5e14, 5e14) });
    await (await customer.send()).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(costOf(CONTEXT_TOKENS_MAX, OUTPUT_TOKENS_MAX));
    expect(records).toMatchObject([{ cost: charged, capped: true }]);
  });

  it('never pays the customer for usage below zero', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: usageOf(-1_000, -1_000) });
    await (await customer.send()).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBeGreaterThanOrEqual(0);
    expect(records).toMatchObject([{ cost: charged }]);
  });

  it('takes what was read from and written to the upstream’s cache at its own price', async () => {
    const customer = await customerWithCachePrices(billing);
    const cache = { cached_tokens: 600, cache_write_tokens: 100 };
    billing.first.behave('*', [
      { kind: 'reply', usage: { ...usageOf(1_000, 10), prompt_tokens_details: cache } },
      // The prompt is counted here, and nobody knows what of it was in the cache.
      { kind: 'reply', usage: { ...usageOf(-1_000, 10), prompt_tokens_details: cache } },
    ]);
    await (await customer.send()).text();
    const { charged } = await customer.bill();
    expect(charged).toBe(300 * 2_000 + 600 * 200 + 100 * 2_500 + 10 * 10_000);
    await (await customer.send()).text();
    expect((await customer.bill()).charged - charged).toBe(8 * 2_000 + 10 * 10_000);
  });

  it('is for the prompt that was reported before a stream broke, and for the output that was delivered', async () => {
    const customer = await customerWithCachePrices(billing);
    const usage = { ...usageOf(1_000, 1), prompt_tokens_details: { cached_tokens: 900 } };
    const pieces = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], usage },
      ...['Hello', ' world'].map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    ].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    const contentType = 'text/event-stream';
    billing.first.behave('*', { kind: 'raw', contentType, pieces, pieceDelayMs: 20, end: 'reset' });
    await (await customer.send(STREAM)).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(100 * 2_000 + 900 * 200 + 2 * 10_000);
    expect(records).toMatchObject([{ status: 'upstream_disconnected', estimated: true }]);
  });

  it('is preceded by a hold of the whole context where a file may fill it, and none where that is not there', async () => {
    const content = [{ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } }];
    const asked = { messages: [{ role: 'user', content }], max_tokens: 16 };
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: usageOf(90_000, 3) });
    const { held } = await customer.sendAndLook(asked);
    expect(held).toBeGreaterThanOrEqual(costOf(CONTEXT_TOKENS_MAX, 16));
    expect((await customer.bill()).charged).toBe(costOf(90_000, 3));

    const poor = await billing.newCustomer(costOf(CONTEXT_TOKENS_MAX, 15));
    expect((await poor.send(asked)).status).toBe(402);
    expect(billing.first.requests).toHaveLength(0);
  });

  it('is preceded by a hold of prompt and output at their own prices, however rich the account', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: usageOf(8, 3) });
    const { held } = await customer.sendAndLook({ max_tokens: 1_000 });
    expect(held).toBeGreaterThanOrEqual(costOf(8, 1_000));
    expect((await customer.bill()).charged).toBe(costOf(8, 3));
  });

  it('is preceded by a larger hold for a stream of a model that thinks before it answers', async () => {
    const customer = await billing.newCustomer();
    await billing.pool.query(
      `update models set capabilities = '{tools,reasoning}' where public_id = $1`,
      [customer.model],
    );
    await customer.republish();
    billing.first.behave('*', { kind: 'reply', usage: usageOf(8, 3) });
    const { held } = await customer.sendAndLook(STREAM);
    expect(held).toBeGreaterThanOrEqual(costOf(8, OUTPUT_TOKENS_MAX));
    expect(billing.first.requests[0]?.body).not.toHaveProperty('max_tokens');
  });

  it('is preceded by a hold that grows by a slice for each choice of a stream', async () => {
    const customer = await billing.newCustomer();
    // All choices together may need more than one answer at its longest.
    await billing.pool.query('update models set output_tokens_max = $2 where public_id = $1', [
      customer.model,
      2 * SLICE_TOKENS,
    ]);
    await customer.republish();
    const piece = 'abc'.repeat((SLICE_TOKENS * 5) / 8);
    billing.first.behave('*', {
      kind: 'reply',
      pieces: [piece],
      end: 'hang',
      cutAfterEvents: 6,
    });
    const leaving = new AbortController();
    const gate = await customer.gate();
    const reply = customer.send({ ...STREAM, n: 3 }, { signal: leaving.signal });
    await until('the upstream is asked', () => gate.waiting() === 1);
    const held = await customer.held();
    gate.open();
    expect(held).toBeGreaterThan(costOf(0, 3 * SLICE_TOKENS));
    expect((await reply).status).toBe(200);
    // More than half of the first slices is delivered by now.
    await expect.poll(() => customer.held()).toBe(held + costOf(0, 3 * SLICE_TOKENS));
    leaving.abort();
    await customer.bill();
  });

  it.each([
    ['prompt', usageOf(2_000, 1)],
    ['output', usageOf(1, 2_000)],
  ])('counts the %s towards the tokens of a minute', async (_name, usage) => {
    const customer = await billing.newCustomer();
    const { keyId } = customer.seeded;
    await billing.pool.query('update keys set tpm = 1000 where id = $1', [keyId]);
    billing.first.behave('*', { kind: 'reply', usage });
    await (await customer.send({ max_tokens: 1 })).text();
    await customer.bill();
    expect((await customer.send({ max_tokens: 1 })).status).toBe(429);
  });

  it('is collected in full though a stream thinks unseen: its upstream knows what the balance affords', async () => {
    const credit = costOf(0, 500);
    const customer = await billing.newCustomer(credit);
    billing.first.behave('*', ({ body }) => {
      return { kind: 'reply', usage: usageOf(8, Number(body?.['max_tokens'] ?? 10_000)) };
    });
    await (await customer.send(STREAM)).text();
    expect(billing.first.requests[0]?.body?.['max_tokens']).toBeGreaterThan(400);
    const { charged, records } = await customer.bill();
    expect(records).toMatchObject([{ cost: charged }]);
    expect(charged).toBeLessThanOrEqual(credit);
  });

  it('takes what there is and no more, and the operator sees what could not be collected', async () => {
    const credit = costOf(0, 500);
    const customer = await billing.newCustomer(credit);
    // Pays no heed to its limit, and nobody sees it before it is over.
    billing.first.behave('*', { kind: 'reply', usage: usageOf(8, 2_000) });
    await (await customer.send(STREAM)).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(credit);
    expect(records).toMatchObject([{ cost: costOf(8, 2_000) }]);
    expect((await billing.counted()).uncollectedNanoUsd).toBe(costOf(8, 2_000) - credit);
  });
});
