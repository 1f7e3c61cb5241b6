import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  streamedReply,
  wholeReply,
} from '../../../../support/upstreams/strict-upstream/replies.ts';
import {
  openBillingFixture,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

const PATCH = '*** Begin Patch\n*** End Patch\n';
/** Words of CommandCodeAI/command-code#885. */
const REFUSAL = {
  error: {
    message: 'Only `type:"function"` tools are supported on this endpoint.',
    param: 'tools.0.type',
    type: 'invalid_request_error',
  },
};

interface Body {
  readonly stream?: boolean;
  readonly tools: readonly { readonly type: string; readonly name: string }[];
  readonly input: readonly { readonly type?: string }[];
}

let billing: BillingFixture;
let server: Server;
const bodies: Body[] = [];

beforeAll(async () => {
  billing = await openBillingFixture();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
      bodies.push(body);
      const [tool] = body.tools;
      const isFine =
        tool?.type === 'function' &&
        body.input.every(({ type = '' }) => !type.startsWith('custom'));
      const call = { id: 'call_2', name: tool?.name ?? '', input: { input: PATCH } };
      const isStream = isFine && body.stream === true;
      response.writeHead(isFine ? 200 : 400, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      if (isStream) response.end(streamedReply('openai-responses', { calls: [call] }).join(''));
      else if (!isFine) response.end(JSON.stringify(REFUSAL));
      else response.end(JSON.stringify(wholeReply('openai-responses', { calls: [call] })));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await billing.close();
});

it('a free-form tool is called at a Responses server that has functions alone', async () => {
  const customer = await billing.newCustomer();
  const { port } = server.address() as AddressInfo;
  await billing.pool.query(
    `update channels set base_url = $2, protocols = '{openai-responses}' where id = any($1::uuid[])`,
    [customer.seeded.channelIds, `http://127.0.0.1:${String(port)}/v1`],
  );
  await customer.republish();
  const ask = (stream: boolean) =>
    fetch(`${billing.url}/v1/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.seeded.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: customer.model,
        stream,
        input: [
          { role: 'user', content: 'Patch it.' },
          { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: PATCH },
          { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Once more.' },
        ],
        tools: [{ type: 'custom', name: 'apply_patch', description: 'Edits files.' }],
      }),
    });
  const whole = await ask(false);
  expect(whole.status).toBe(200);
  expect(bodies.map(({ tools }) => tools[0]?.type)).toEqual(['custom', 'function']);
  const called = { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: PATCH };
  expect(((await whole.json()) as { output: unknown }).output).toEqual([
    expect.objectContaining(called),
  ]);

  const streamed = await (await ask(true)).text();
  expect(bodies).toHaveLength(3);
  const events = streamed
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string; item?: unknown });
  const done = events.find(({ type }) => type === 'response.output_item.done');
  expect(done?.item).toMatchObject(called);
  expect(events.map(({ type }) => type)).toContain('response.custom_tool_call_input.done');
});
