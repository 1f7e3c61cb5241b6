/** Ends of Converse's streams that other protocols do not have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import {
  CLIENTS,
  UPSTREAMS,
  type Counts,
} from '../gateway/data-plane/settlement/support/one-turn.ts';
import { MODEL, openSite, UPSTREAM_MODEL, type Site } from './support/open-site.ts';

const converse = UPSTREAMS.find(({ protocol }) => protocol === 'bedrock-converse');
const COUNTS: Counts = {
  input: 1_000,
  cached: 200,
  write: 0,
  write1h: 0,
  output: 50,
  reasoning: 0,
};
const COST = 800 * 4_000 + 200 * 200 + 50 * 20_000;
const EVENTS = converse?.events(COUNTS) ?? [];
const EXCEPTION = `event: exception\ndata: ${JSON.stringify({
  __type: 'modelStreamErrorException',
  message: 'no',
})}\n\n`;

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

function send(path: string, body: object): Promise<Response> {
  return fetch(site.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe.each(CLIENTS)('a client of $protocol', (client) => {
  const { path, body } = client.request(MODEL, true);

  it('pays for what it got when an exception ends the stream, and nothing when one begins it', async () => {
    site.upstream.reply = { events: [...EVENTS.slice(0, 2), EXCEPTION] };
    const broken = await send(path, body);
    expect([broken.status, await broken.text()]).toEqual([200, expect.stringContaining('error')]);
    const cost = await site.charged();
    expect(cost).toBeGreaterThan(0);
    expect(await site.lastRecord()).toMatchObject({ status: 'upstream_disconnected', cost });
    site.upstream.reply = { events: [EXCEPTION] };
    const refused = await send(path, body);
    await refused.text();
    expect(refused.status).toBeGreaterThanOrEqual(429);
    expect(await site.charged()).toBe(0);
  });

  it('gets a stream without its usage, which is then counted', async () => {
    site.upstream.reply = { events: EVENTS.slice(0, -1) };
    expect(await (await send(path, body)).text()).toContain('It is done.');
    const cost = await site.charged();
    expect(cost).toBeGreaterThan(0);
    expect(await site.lastRecord()).toMatchObject({ status: 'completed', cost, estimated: true });
  });
});

it('gets a whole reply where a stream was asked for, and the other way round', async () => {
  const ask = async (stream: boolean): Promise<string> => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const response = await send('/v1/chat/completions', { model: MODEL, stream, messages });
    expect(response.status).toBe(200);
    return response.text();
  };
  site.upstream.reply = { json: converse?.reply(COUNTS) };
  expect(await ask(true)).toContain('It is done.');
  const wire = `/model/${encodeURIComponent(UPSTREAM_MODEL)}/converse-stream`;
  expect(site.upstream.calls.at(-1)?.path).toBe(wire);
  site.upstream.reply = { events: EVENTS };
  expect(await ask(false)).toContain('It is done.');
  expect(await site.charged()).toBe(2 * COST);
});

it('the books add up', () => expectReconciled(site.pool));
