import { isRecord } from './json-record.ts';
import type { PriceList, PriceListFault } from './price-list.ts';
import { isLitellm, readLitellm } from './read-litellm.ts';
import { isModelsDev, readModelsDev } from './read-models-dev.ts';

/**
 * Reads LiteLLM's `model_prices_and_context_window.json` or models.dev's `api.json`; which of them
 * it is, it says itself.
 */
export function readPriceList(text: string): PriceList | PriceListFault {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { kind: 'empty' };
  let file: unknown;
  try {
    file = JSON.parse(trimmed);
  } catch (thrown) {
    return { kind: 'json', detail: thrown instanceof Error ? thrown.message : '' };
  }
  const list = readFile(file);
  if (list === undefined) return { kind: 'format' };
  return list.models.some(({ prices }) => prices !== null) ? list : { kind: 'unpriced' };
}

function readFile(file: unknown): PriceList | undefined {
  if (!isRecord(file)) return undefined;
  if (isModelsDev(file)) return { format: 'models.dev', models: readModelsDev(file) };
  if (isLitellm(file)) return { format: 'litellm', models: readLitellm(file) };
  return undefined;
}
