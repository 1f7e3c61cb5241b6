/**
 * Entries of LiteLLM's own list that have a price of 0; the file names its source and licence. Most
 * of them are prices that nobody entered.
 */
import { describe, expect, it } from 'vitest';
import type { ListedModel } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import ENTRIES from './litellm-free-entries.json' with { type: 'json' };

function read(file: object): readonly ListedModel[] {
  const list = readPriceList(JSON.stringify(file));
  if ('kind' in list) throw new Error(list.kind);
  return list.models;
}

const entries: Readonly<Record<string, unknown>> = ENTRIES;
const MODELS = read(ENTRIES).filter(({ prices }) => prices !== null);

function fieldOf({ key }: ListedModel, field: string): unknown {
  const entry = entries[key];
  return typeof entry === 'object' && entry !== null ? Reflect.get(entry, field) : undefined;
}

const reasonsOf = ({ leftOut }: ListedModel) => leftOut.map(({ reason }) => reason);

describe('entries of a real list that cost nothing', () => {
  it('are named where input, or the output of a model that generates, is free', () => {
    const free = MODELS.filter((model) => {
      const isEmbedding = fieldOf(model, 'mode') === 'embedding';
      return model.prices?.inputUsd === '0' || (model.prices?.outputUsd === '0' && !isEmbedding);
    });
    const whole = free.filter(({ prices }) => prices?.inputUsd === '0' && prices.outputUsd === '0');
    expect(whole).toHaveLength(104);
    expect(free.length).toBeGreaterThan(104);
    for (const model of free) expect(reasonsOf(model), model.key).toContain('free_tokens');
  });

  it('have no price of their own for cache writes of 0 alongside a paid input', () => {
    const writes = MODELS.filter(
      (model) =>
        fieldOf(model, 'cache_creation_input_token_cost') === 0 && model.prices?.inputUsd !== '0',
    );
    expect(writes).toHaveLength(40);
    for (const model of writes) {
      expect(model.prices?.cacheWriteUsd, model.key).toBeNull();
      expect(reasonsOf(model), model.key).toContain('free_cache_write');
    }
  });

  it('keep a cache write of 0 where input is free, too', () => {
    const [free] = read({
      free: {
        litellm_provider: 'openai',
        input_cost_per_token: 0,
        output_cost_per_token: 0,
        cache_creation_input_token_cost: 0,
      },
    });
    expect(free?.prices?.cacheWriteUsd).toBe('0');
  });
});
