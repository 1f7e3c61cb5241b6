/** What the vendors' own SDKs do over Converse. Every turn is billed exactly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import {
  TURN_CLIENTS,
  type Question,
} from '../gateway/data-plane/settlement/support/turn-clients.ts';
import {
  PROOF,
  USAGE,
  type Turn,
} from '../gateway/data-plane/settlement/support/turn-upstreams.ts';
import { DONE, event, events } from './support/converse-upstream.ts';
import { MODEL, openSite, type Site } from './support/open-site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const THOUGHT = 'A short thought';
const PIECES = ['I will', ' look.'];
const CALLS = [
  { id: 'tooluse_0000000000000001', name: 'look_up', input: { city: 'Rome' } },
  { id: 'tooluse_0000000000000002', name: 'measure', input: {} },
];
const CALLING: Turn = { thought: THOUGHT, pieces: PIECES, calls: CALLS };
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const TURN_COST = (USAGE.input - USAGE.cached) * 4_000 + USAGE.cached * 200 + USAGE.output * 20_000;

describe.each(TURN_CLIENTS)('the SDK of $protocol', (client) => {
  const ask = (more: Partial<Question> = {}) =>
    client.ask({ site: { url: site.url, key: site.key, model: MODEL }, ...more });

  function play(turn: Turn): void {
    site.upstream.reply = { events: events(turn) };
  }

  it('calls tools in parallel, and sends back results and the thought that led to them', async () => {
    play(CALLING);
    const answer = await ask({ offersTools: true, thinks: true });
    expect(answer).toMatchObject({ text: PIECES.join(''), thought: THOUGHT, calls: CALLS });
    play(DONE);
    const results = CALLS.toReversed().map((call) => ({ ...call, result: `of ${call.id}` }));
    const last = await ask({ offersTools: true, thinks: true, before: { answer, results } });
    expect(last).toMatchObject({ text: 'It is done.', calls: [] });
    const [, assistant, user] = site.lastBody()['messages'] as { content: object[] }[];
    expect(assistant?.content.filter((block) => 'toolUse' in block)).toEqual(
      CALLS.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
    );
    expect(user?.content.filter((block) => 'toolResult' in block)).toEqual(
      CALLS.map(({ id }) => ({ toolResult: { toolUseId: id, content: [{ text: `of ${id}` }] } })),
    );
    // SDKs of chat completions keep no reasoning.
    const keeps = client.protocol !== 'openai-chat';
    expect(JSON.stringify(site.lastBody()).includes(PROOF)).toBe(keeps);
    expect(await site.charged()).toBe(2 * TURN_COST);
  });

  it('shows an image, and asks for structured output', async () => {
    play({ pieces: ['{"city":', '"Rome"}'] });
    const { text } = await ask({ image: IMAGE, schema: SCHEMA });
    expect(JSON.parse(text)).toEqual({ city: 'Rome' });
    const [{ content } = { content: [] }] = site.lastBody()['messages'] as { content: unknown[] }[];
    expect(content).toContainEqual({ image: { format: 'png', source: { bytes: IMAGE } } });
    const format = site.lastBody()['outputConfig'] as {
      textFormat: { structure: { jsonSchema: { schema: string } } };
    };
    expect(JSON.parse(format.textFormat.structure.jsonSchema.schema)).toEqual(SCHEMA);
    expect(await site.charged()).toBe(TURN_COST);
  });

  it('gets a stream without its usage, which is then counted', async () => {
    site.upstream.reply = { events: events(DONE).slice(0, -1) };
    expect((await ask()).text).toBe('It is done.');
    const cost = await site.charged();
    expect(cost).toBeGreaterThan(0);
    expect(await site.lastRecord()).toMatchObject({ status: 'completed', cost, estimated: true });
  });

  it('pays for what it got when an exception ends the stream', async () => {
    const failed = event('exception', { __type: 'modelStreamErrorException', message: 'no' });
    site.upstream.reply = { events: [...events(DONE).slice(0, 2), failed] };
    await expect(ask()).rejects.toThrow();
    const cost = await site.charged();
    expect(cost).toBeGreaterThan(0);
    expect(await site.lastRecord()).toMatchObject({ status: 'upstream_disconnected', cost });
  });

  it('pays nothing when an exception begins the stream', async () => {
    const failed = event('exception', { __type: 'modelStreamErrorException', message: 'no' });
    site.upstream.reply = { events: [failed] };
    await expect(ask()).rejects.toThrow();
    expect(await site.charged()).toBe(0);
  });
});

it('the books add up', () => expectReconciled(site.pool));
