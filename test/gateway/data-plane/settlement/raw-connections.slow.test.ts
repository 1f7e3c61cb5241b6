import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_UWS_MODULE } from '../../../../gateway/data-plane/http/server-library.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { Probe } from '../../../support/probe.ts';
import { serverLibraries } from '../../../support/sources/server-libraries.ts';
import {
  costOf,
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from './support/billing-fixture.ts';

const USAGE = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };
const COST = costOf(11, 4);
const LIBRARIES = serverLibraries();

/** A request as it is sent; its body comes whole, or in chunks. */
function wireOf({ model, seeded }: Customer, framing: 'whole' | 'chunks'): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  const chunks = [body.slice(0, 20), body.slice(20)].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  const [header, sent] =
    framing === 'whole'
      ? [`Content-Length: ${String(body.length)}`, body]
      : ['Transfer-Encoding: chunked', `${chunks.join('')}0\r\n\r\n`];
  return (
    'POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
    `Authorization: Bearer ${seeded.key}\r\n${header}\r\n\r\n${sent}`
  );
}

function repliesIn(text: string): number {
  return text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
}

describe.each(LIBRARIES)('the money of raw connections to %s', (library) => {
  let billing: BillingFixture;
  let probe: Probe;

  beforeAll(async () => {
    billing = await openBillingFixture({ UWS_MODULE: library });
    probe = new Probe(Number(new URL(billing.url).port));
  });

  afterAll(async () => {
    probe.close();
    await billing.close();
  });

  /** Sends pieces, each when the one before has been read. */
  async function open(
    ...pieces: readonly string[]
  ): Promise<{ readonly socket: Socket; readonly text: () => string }> {
    const socket = connect(Number(new URL(billing.url).port), '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket.on('error', () => undefined);
    await probe.untilRead();
    for (const piece of pieces) {
      if (socket.writable) socket.write(piece);
      await probe.untilRead();
    }
    return { socket, text: () => text };
  }

  /**
   * Every request that an upstream has had is in the books, and nothing else is. A reply is charged
   * that has been written to a connection; where the client's next piece meets its end, Node drops
   * what it has not read, so that only so many replies may have been seen.
   */
  async function expectExact(customer: Customer, seen: number, isLossy = false): Promise<void> {
    const { charged, records } = await customer.bill();
    expect(records).toHaveLength(billing.first.requests.length);
    const completed = records.filter(({ status }) => status === 'completed');
    const abandoned = records.filter(({ status }) => status === 'client_disconnected');
    if (isLossy) expect(completed.length).toBeGreaterThanOrEqual(seen);
    else expect(completed).toHaveLength(seen);
    expect(completed.length + abandoned.length).toBe(records.length);
    expect(abandoned.every(({ cost }) => cost === 0)).toBe(true);
    expect(charged).toBe(completed.length * COST);
  }

  it.each(['whole', 'chunks'] as const)(
    'is exact wherever a request is cut whose body comes in %s',
    async (framing) => {
      const customer = await billing.newCustomer();
      billing.first.behave('*', { kind: 'reply', usage: USAGE });
      const wire = wireOf(customer, framing);
      const lineEnd = wire.indexOf('\r\n') + 2;
      let replies = 0;
      for (let at = 1; at < wire.length; at += at < lineEnd || wire.length - at < 20 ? 1 : 19) {
        const { socket, text } = await open(wire.slice(0, at), wire.slice(at));
        await until('a reply', () => socket.closed || text().endsWith('}'));
        const status = Number(text().slice(9, 12));
        if (status === 200) replies += 1;
        else expect([library, at < lineEnd]).toEqual([DEFAULT_UWS_MODULE, true]);
        socket.destroy();
      }
      await expectExact(customer, replies);
    },
  );

  it.each([
    ['a request', (wire: string) => wire],
    ['the beginning of one', () => 'P'],
    ['what is none', () => 'X: y\r\n\r\n'],
  ])(
    'is a record of nothing for a request that waits when %s comes behind it',
    async (_what, behind) => {
      const customer = await billing.newCustomer();
      billing.first.behave('*', { kind: 'reply', headersDelayMs: HANG_MS });
      for (const [index, framing] of (['whole', 'chunks'] as const).entries()) {
        const wire = wireOf(customer, framing);
        const { socket, text } = await open(wire);
        await billing.first.untilRequests(index + 1);
        socket.write(behind(wire));
        await probe.untilRead();
        socket.destroy();
        expect(text()).not.toContain('200 OK');
        await expectExact(customer, 0);
      }
    },
  );

  it('is exact for requests that a client sends one behind the other without waiting', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: USAGE });
    const wire = wireOf(customer, 'whole');
    let replies = 0;
    for (const pieces of [[wire.repeat(4)], [wire, wire.repeat(3)], [wire, wire, wire, wire]]) {
      const { socket, text } = await open(...pieces);
      await until('an end', () => socket.closed || repliesIn(text()) === 4);
      replies += repliesIn(text());
      socket.destroy();
    }
    await expectExact(customer, replies, true);
  });

  it('is exact when a request is hidden behind the last chunk of another', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', usage: USAGE });
    const wire = wireOf(customer, 'chunks');
    const hidden = wireOf(customer, 'whole');
    const skipped = `${wire.slice(0, -2)}X:`;
    let replies = 0;
    for (const pieces of [[skipped + hidden], [skipped, hidden], [wire, hidden]]) {
      const { socket, text } = await open(...pieces);
      await until('an end', () => socket.closed);
      const found = repliesIn(text());
      expect(found).toBeLessThan(2);
      replies += found;
    }
    expect(billing.first.requests.length).toBeLessThan(4);
    await expectExact(customer, replies, true);
  });
});
