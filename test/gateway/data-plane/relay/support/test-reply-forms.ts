import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../../../../support/sample.ts';
import {
  INPUT_PRICE,
  openPaths,
  OUTPUT_PRICE,
  PATHS,
  type Client,
  type PathCustomer,
  type Paths,
  type Upstream,
} from './open-paths.ts';
import type { RawReply } from './raw-upstream.ts';
import { eventsOf, INPUT_TOKENS, OUTPUT_TOKENS, TEXTS, vendorReply } from './vendor-replies.ts';

const SSE = 'text/event-stream';
const JSON_TYPE = 'application/json';
const DONE = 'data: [DONE]\n\n';
const PER_MILLION = 1_000_000;

let paths: Paths;
const customers = new Map<Upstream, PathCustomer>();

async function customerOf(upstream: Upstream): Promise<PathCustomer> {
  let customer = customers.get(upstream);
  if (customer === undefined) {
    customer = await paths.newCustomer(upstream);
    customers.set(upstream, customer);
  }
  return customer;
}

/**
 * The client has the reply in the form that it asked for, and pays what the upstream has reported.
 */
async function expectServed(
  [client, upstream]: readonly [Client, Upstream],
  stream: boolean,
  reply: RawReply,
): Promise<string> {
  const customer = await customerOf(upstream);
  paths.upstream.reply = reply;
  const response = await customer.ask(client, stream);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const type = response.headers.get('content-type') ?? '';
  if (stream) {
    expect(type).toContain(SSE);
    expect(text).toMatch(/^(?:event|data): /);
    for (const [, data = ''] of text.matchAll(/^data: (\{.*)$/gm)) JSON.parse(data);
  } else {
    expect(type).toContain(JSON_TYPE);
    JSON.parse(text);
  }
  expect(text).toContain(client === 'embeddings' ? '"embedding"' : TEXTS[0]);
  expect(text).not.toContain('upstream-name');
  const output = client === 'embeddings' ? 0 : OUTPUT_TOKENS;
  expect(await customer.records()).toMatchObject([
    {
      input: INPUT_TOKENS,
      output,
      cost: (INPUT_TOKENS * INPUT_PRICE + output * OUTPUT_PRICE) / PER_MILLION,
      status: 'completed',
      estimated: false,
      capped: false,
    },
  ]);
  return text;
}

/** Codings that nobody has asked for, as servers write and misname them. */
function codedForms(bytes: Buffer): (readonly [string, Buffer])[] {
  return [
    ['gzip', gzipSync(bytes)],
    ['GZIP', Buffer.concat([gzipSync(bytes.subarray(0, 50)), gzipSync(bytes.subarray(50))])],
    ['gzip', gzipSync(bytes).subarray(0, -8)],
    ['gzip', bytes],
    ['br', brotliCompressSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['gzip, identity', gzipSync(bytes)],
    ['deflate, br', brotliCompressSync(deflateSync(bytes))],
    ['utf-8', bytes],
  ];
}

const ROWS = PATHS.map(([client, upstream], row) => [client, upstream, row] as const);

/**
 * Tests replies in all forms in which upstreams send them, over every path from a client's protocol
 * to an upstream's.
 * @param every one of so many forms is tried on each path, others on the next path
 */
export function testReplyForms(every: number): void {
  beforeAll(async () => {
    paths = await openPaths();
  });

  afterAll(async () => {
    await paths.close();
  });

  describe.each(ROWS)('%s over %s', (client, upstream, row) => {
    const some = <Form>(forms: readonly Form[]): Form[] => sampleOf(forms, row, every);
    const path = [client, upstream] as const;
    const reply = vendorReply(upstream);
    const whole = JSON.stringify(reply.whole);
    const events = eventsOf(reply);
    const streams = client === 'embeddings' ? [] : [true];
    // Bytes are read once for all clients of another protocol.
    const ownForms = client === upstream || client === 'chat' ? [false, ...streams] : [];

    it.each(streams)('gets a stream, whatever its content type', async (stream) => {
      for (const contentType of some([SSE, 'text/plain', '', JSON_TYPE])) {
        await expectServed(path, stream, { contentType, packets: events });
      }
    });

    it.each(streams)('gets a stream of a whole reply', async (stream) => {
      const halves = [whole.slice(0, 20), whole.slice(20)];
      const forms = [
        [JSON_TYPE, halves],
        [SSE, [whole]],
        ['', [`\ufeff ${whole}\n\n${DONE}`]],
      ] as const;
      for (const [contentType, packets] of some(forms)) {
        const text = await expectServed(path, stream, { contentType, packets });
        expect(text).toContain(TEXTS.join(''));
      }
    });

    it('gets a whole reply of a stream', async () => {
      for (const contentType of some([SSE, JSON_TYPE, ''])) {
        const text = await expectServed(path, false, { contentType, packets: [events.join('')] });
        if (client !== 'embeddings') expect(text).toContain(TEXTS.join(''));
      }
    });

    it('gets a whole reply, whatever its content type and the mark behind it', async () => {
      const forms = [[whole], [`${whole}\n\ndata: [DONE]`], [`${whole}${DONE}`]];
      for (const packets of some(forms)) {
        await expectServed(path, false, { contentType: 'text/plain', packets });
      }
    });

    it.each(streams)('pays by the usage behind the end mark', async (stream) => {
      if (upstream === 'responses') return;
      const { usageEvent, endEvent } = reply;
      const mark = endEvent === '' ? DONE : endEvent;
      const before = [...reply.events, mark];
      await expectServed(path, stream, { contentType: SSE, packets: [...before, usageEvent] });
      await expectServed(path, stream, {
        contentType: SSE,
        packets: [[...before, usageEvent].join('')],
      });
    });

    it.each(streams)(
      'gets a whole stream that has a mark and no reason for its end',
      async (stream) => {
        if (upstream === 'responses') return;
        const { usageEvent, endEvent } = reply;
        const mark = endEvent === '' ? DONE : endEvent;
        const packets = [...reply.events.slice(0, -1), usageEvent, mark];
        await expectServed(path, stream, { contentType: SSE, packets });
      },
    );

    it.each(ownForms)('gets a stream however its lines are written', async (stream) => {
      const all = events.join('');
      const named = all.includes('event: ') ? [all.replaceAll(/^event: .*\n/gm, '')] : [];
      const forms = [
        `\ufeff${all.replaceAll('\n', '\r\n')}`,
        all.replaceAll('\n', '\r'),
        all.replaceAll('\n\n', '\n'),
        all.replaceAll('\n\n', '\r\n').replaceAll(/(?<!\r)\n/g, '\r\n'),
        all.replaceAll('data: ', 'data:'),
        all.replaceAll('data: ', 'data:  '),
        all.replaceAll(/^data: /gm, ': ping\nid: 1\nretry: 9\ndata: '),
        all.replaceAll(/^event: .*$/gm, 'event: message'),
        all.trimEnd(),
        ...named,
      ];
      for (const written of some(forms)) {
        await expectServed(path, stream, { contentType: SSE, packets: [written] });
      }
    });

    it.each(ownForms)('gets what comes in a content coding', async (stream) => {
      for (const [coding, bytes] of some(codedForms(Buffer.from(events.join(''))))) {
        const headers = { 'content-encoding': coding };
        await expectServed(path, stream, { contentType: SSE, packets: [bytes], headers });
      }
    });

    it.each(ownForms)('pays by counts that are written as texts', async (stream) => {
      const packets = events.map((event) =>
        event.replaceAll(/("\w*[tT]oken\w*"):(\d+)/g, '$1:"$2"'),
      );
      await expectServed(path, stream, { contentType: SSE, packets });
    });

    it('gets a reason for the end in its own words', async () => {
      if (upstream === 'embeddings' || upstream === 'responses') return;
      for (const word of some(['STOP', 'stop', 'end_turn', 'eos'])) {
        const odd = vendorReply(upstream, word);
        const own = vendorReply(client).endWord;
        const body = { contentType: JSON_TYPE, packets: [JSON.stringify(odd.whole)] };
        expect(await expectServed(path, false, body)).toContain(`"${own}"`);
        const packets = eventsOf(odd);
        const text = await expectServed(path, true, { contentType: SSE, packets });
        expect(text).toContain(own);
        if (word !== own) expect(text).not.toContain(`"${word}"`);
      }
    });

    it('pays nothing for an error in either form', async () => {
      const customer = await customerOf(upstream);
      const error = JSON.stringify({
        error: { message: 'broken', type: 'server_error', code: 500 },
      });
      for (const stream of [false, ...streams]) {
        for (const body of [error, `event: error\ndata: ${error}\n\n`, '', '<html>', 'no']) {
          paths.upstream.reply = { contentType: SSE, packets: [body] };
          const response = await customer.ask(client, stream);
          expect([502, 503, 529]).toContain(response.status);
          await response.text();
        }
      }
      expect(await customer.records()).toEqual([]);
      customers.delete(upstream);
    });
  });

  it('a small reply that expands beyond what a reply may have is no fault of its channel', async () => {
    const customer = await paths.newCustomer('chat');
    const bomb = gzipSync(Buffer.alloc(70 * 1_048_576, 'x'));
    const headers = { 'content-encoding': 'gzip' };
    for (let count = 0; count < 6; count += 1) {
      paths.upstream.reply = { contentType: JSON_TYPE, packets: [bomb], headers };
      expect((await customer.ask('chat', count % 2 === 0)).status).toBe(400);
    }
    const whole = JSON.stringify(vendorReply('chat').whole);
    paths.upstream.reply = { contentType: JSON_TYPE, packets: [whole] };
    expect((await customer.ask('chat', false)).status).toBe(200);
  });
}
