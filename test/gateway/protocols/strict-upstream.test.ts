import { describe, expect, it } from 'vitest';
import { STRICT_ROWS, refusalOf } from '../../support/upstreams/strict-upstream/strict-upstream.ts';
import { sampleOf } from '../../support/sample.ts';
import { allCells, type Cell } from './support/strict/cell.ts';
import { encodeFault } from './support/strict/encode.ts';
import { KNOWN } from './support/strict/known-failures.ts';
import { tallyFailures } from './support/strict/tally.ts';

/** A request that every row of a protocol accepts. */
const SMALLEST = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  'bedrock-converse': { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
} as const;

function rowNamed(name: string) {
  const row = STRICT_ROWS.find((found) => found.name === name);
  if (row === undefined) throw new Error(`${name} is no row`);
  return row;
}

describe('a strict upstream', () => {
  it.each(STRICT_ROWS.map((row) => [row.name, row] as const))(
    '%s accepts the smallest request of its protocol',
    (_name, row) => {
      expect(refusalOf(row, SMALLEST[row.vendor.protocol])).toBeUndefined();
    },
  );

  it.each([
    ['openai/o3', { temperature: 0.2 }, "'temperature' does not support 0.2 with this model"],
    ['openai/gpt-5.1', { reasoning_effort: 'max' }, "'reasoning_effort' does not support 'max'"],
    ['azure/gpt-4.1', { thinking: {} }, 'Unrecognized request argument supplied: thinking'],
    ['openai-responses/gpt-4o', { reasoning: { effort: 'low' } }, "'reasoning.effort' is not supp"],
    ['anthropic/claude-opus-4-7', { top_k: 5 }, '`top_k` is deprecated for this model.'],
    ['anthropic/claude-opus-4-6', { seed: 1 }, 'seed: Extra inputs are not permitted'],
    ['gemini/gemini-2.5-pro', { store_it: true }, 'Unknown name \\"store_it\\"'],
    ['groq/llama-3.3-70b-versatile', { prompt_cache_key: 'k' }, "property 'prompt_cache_key' is"],
    ['cerebras/gpt-oss-120b', { store: false }, "property 'body.store' is unsupported"],
    ['mistral/mistral-large-2512', { max_completion_tokens: 9 }, 'extra_forbidden'],
    ['xai/grok-4.3', { presence_penalty: 1 }, 'not supported on this model: presencePenalty'],
    ['moonshot/kimi-k2.6', { temperature: 0.2 }, 'invalid temperature: only 1 is allowed'],
    [
      'bedrock/qwen.qwen3-32b-v1:0',
      { inferenceConfig: { stopSequences: ['a'] } },
      "This model doesn't support the stopSequences field.",
    ],
    ['bedrock/us.amazon.nova-pro-v1:0', { top_k: 5 }, 'extraneous key [top_k] is not permitted'],
    ['bedrock/global.anthropic.claude-opus-5', { messages: [] }, 'messages field is empty'],
    ['plain/some-model', { seed: 1 }, '"loc":["body","seed"]'],
  ])('%s refuses in the words of its vendor', (name, fields, words) => {
    const row = rowNamed(name);
    const refusal = refusalOf(row, { ...SMALLEST[row.vendor.protocol], ...fields });
    expect(JSON.stringify(refusal?.body)).toContain(words);
  });
});

/** One of three cases of each client and row, others with the next row. */
function sampledCells(): readonly Cell[] {
  const rows = Map.groupBy(allCells(), ({ client, row }) => `${client} over ${row.name}`);
  return [...rows.values()].flatMap((cells, row) => sampleOf(cells, row, 3));
}

describe('every client over every vendor and family', () => {
  it('sends what the vendor accepts, or refuses it by the name of a field', () => {
    const cells = sampledCells();
    const { failures, examples } = tallyFailures(cells, cells.map(encodeFault), KNOWN);
    for (const [vendor, rules] of Object.entries(failures)) {
      for (const [rule, count] of Object.entries(rules)) {
        const place = `${vendor}, ${rule}:\n${examples}`;
        expect(count, place).toBeLessThanOrEqual(KNOWN[vendor]?.[rule] ?? 0);
      }
    }
  });
});
