/** What clients of each protocol pay over Converse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import { CLIENTS, type Counts } from '../gateway/data-plane/settlement/support/one-turn.ts';
import { DONE, event, events, reply } from './support/converse-upstream.ts';
import { MODEL, openSite, UPSTREAM_MODEL, type Site } from './support/open-site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const PLAIN: Counts = { input: 1_000, cached: 200, write: 0, write1h: 0, output: 50, reasoning: 0 };
const PLAIN_COST = 800 * 4_000 + 200 * 200 + 50 * 20_000;
const WRITING: Counts = { ...PLAIN, write: 30, write1h: 40 };
const WRITING_COST = 730 * 4_000 + 200 * 200 + 30 * 5_000 + 40 * 8_000 + 50 * 20_000;

describe.each(CLIENTS)('a client of $protocol', (client) => {
  const { protocol } = client;

  async function costOf(counts: Counts, stream: boolean, tier?: string): Promise<number> {
    site.upstream.reply = ({ body }) => {
      const asked = (body['serviceTier'] as { type?: string } | undefined)?.type;
      const told = asked === undefined ? counts : { ...counts, tier: asked };
      return stream ? { events: events(DONE, told) } : { json: reply(told) };
    };
    const { path, body } = client.request(MODEL, stream, tier);
    const response = await fetch(site.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('It is done.')]);
    const verb = stream ? 'converse-stream' : 'converse';
    const wire = `/model/${encodeURIComponent(UPSTREAM_MODEL)}/${verb}`;
    expect(site.upstream.calls.at(-1)?.path).toBe(wire);
    const charged = await site.charged();
    expect(await site.lastRecord()).toMatchObject({
      ...{ status: 'completed', cost: charged, estimated: false },
      ...{ protocol, upstream: 'bedrock-converse' },
    });
    return charged;
  }

  it.each([false, true])('pays what a turn costs at Anthropic, streamed: %s', async (stream) => {
    expect(await costOf(PLAIN, stream)).toBe(PLAIN_COST);
    expect(await costOf(WRITING, stream)).toBe(WRITING_COST);
  });

  it('pays for what it got when an exception ends the stream, and nothing when one begins it', async () => {
    const failed = event('exception', { __type: 'modelStreamErrorException', message: 'no' });
    const { path, body } = client.request(MODEL, true);
    const ask = async (): Promise<Response> =>
      fetch(site.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    site.upstream.reply = { events: [...events(DONE).slice(0, 2), failed] };
    const broken = await ask();
    expect([broken.status, await broken.text()]).toEqual([200, expect.stringContaining('error')]);
    const cost = await site.charged();
    expect(cost).toBeGreaterThan(0);
    expect(await site.lastRecord()).toMatchObject({ status: 'upstream_disconnected', cost });
    site.upstream.reply = { events: [failed] };
    const refused = await ask();
    await refused.text();
    expect(refused.status).toBeGreaterThanOrEqual(429);
    expect(await site.charged()).toBe(0);
  });

  // Messages has another word for tiers.
  if (protocol === 'anthropic-messages') return;

  it('pays for the tier that it gets', async () => {
    expect(await costOf(PLAIN, true, 'priority')).toBe(2 * PLAIN_COST);
    expect(await site.lastRecord()).toMatchObject({ tier: 'priority' });
  });
});

it('gets a whole reply where a stream was asked for, and the other way round', async () => {
  const send = async (stream: boolean): Promise<string> => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  site.upstream.reply = { json: reply(PLAIN) };
  expect(await send(true)).toContain('It is done.');
  site.upstream.reply = { events: events(DONE, PLAIN) };
  expect(await send(false)).toContain('It is done.');
  expect(await site.charged()).toBe(2 * PLAIN_COST);
});

it('the books add up', () => expectReconciled(site.pool));
