/** Llama calls tools in whole replies alone: AWS refuses a stream with tools. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openBedrock, PRICES, type BedrockSite } from './support/open-bedrock.ts';
import { TURN_CLIENTS, type Question } from './support/turn-clients.ts';

const LLAMA = 'us.meta.llama4-maverick-17b-instruct-v1:0';
const CALLS = [{ id: 'tooluse_1', name: 'look_up', input: { city: 'Rome' } }];
const COST = 1_000 * PRICES.input + 50 * PRICES.output;

let site: BedrockSite;

beforeAll(async () => {
  site = await openBedrock([''], LLAMA);
});

afterAll(() => site.close());

function reply(content: readonly object[], stopReason: string): object {
  return {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 1_000, outputTokens: 50, totalTokens: 1_050 },
    metrics: { latencyMs: 1 },
  };
}

it.each(TURN_CLIENTS)('streams what was asked for as a whole, to $protocol', async (client) => {
  const ask = (more: Partial<Question>) => client.ask({ site, ...more });
  const text = { text: 'I look.' };
  const calls = CALLS.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }));
  site.aws.reply = () => ({
    conversed: { json: reply([text, ...calls], 'tool_use'), frames: [] },
  });
  const answer = await ask({ offersTools: true });
  expect(answer).toMatchObject({ text: 'I look.', calls: CALLS });
  site.aws.reply = () => ({ conversed: { json: reply([text], 'end_turn'), frames: [] } });
  const results = CALLS.map((call) => ({ ...call, result: 'found' }));
  const last = await ask({ offersTools: true, before: { answer, results } });
  expect(last).toMatchObject({ text: 'I look.', calls: [] });
  const paths = site.aws.requests.splice(0).map(({ path }) => path.split('/').at(-1));
  expect(paths).toEqual(['converse', 'converse']);
  expect(await site.charged()).toBe(2 * COST);
});

it('streams what has no tools', async () => {
  const { aws } = site;
  aws.reply = () => ({ conversed: { json: {}, frames: [] } });
  await expect(TURN_CLIENTS[0]?.ask({ site })).rejects.toThrow();
  expect(aws.requests.at(-1)?.path).toMatch(/converse-stream$/);
  expect(await site.charged()).toBe(0);
});

it('the books add up', () => expectReconciled(site.pool));
