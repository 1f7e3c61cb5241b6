import type { MeterId } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { tierName } from '../fields/tier-name.ts';
import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';
import { fieldOf, listOf } from './fields.ts';

/**
 * Reads a `usageMetadata` object. The prompt's count includes what was read from a cache; what
 * server tools added to the prompt and what the model thought are counted apart. Protocol buffers
 * leave out counts that are 0. Returns undefined when neither prompt nor output is reported.
 */
export function readUsage(usage: unknown, searches = 0): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = countOf(usage, 'promptTokenCount');
  const added = countOf(usage, 'toolUsePromptTokenCount');
  const candidates = countOf(usage, 'candidatesTokenCount');
  const thoughts = countOf(usage, 'thoughtsTokenCount');
  const input = prompt + added;
  // Some upstreams count thoughts in the total alone, or all of the output.
  const surplus = countOf(usage, 'totalTokenCount') - input - candidates - thoughts;
  const hidden = thoughts === 0 && input > 0 && surplus > 0 ? surplus : 0;
  const output = candidates + thoughts + hidden;
  if (input === 0 && output === 0) return undefined;
  const cachedInput = countOf(usage, 'cachedContentTokenCount');
  const tier = tierName(fieldOf(usage, 'serviceTier') ?? fieldOf(usage, 'trafficType'));
  const counts = {
    input,
    cachedInput,
    cacheWrite: 0,
    output,
    reasoning: candidates > 0 ? thoughts + hidden : thoughts,
    ...(tier === undefined ? {} : { tier }),
  };
  const extra = meterCounts(usage, searches, input - cachedInput);
  return extra === undefined ? counts : { ...counts, extra };
}

function countOf(usage: JsonObject, field: string): number {
  const value = fieldOf(usage, field);
  // Protocol buffers write 64-bit numbers as texts.
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && !Number.isNaN(count) ? count : 0;
}

type MeterCounts = Partial<Record<MeterId, number>>;

/**
 * Modalities with prices of their own; video and documents cost what text does. Where the kinds of
 * cached tokens are not reported, at most the rest of the prompt is sound or images.
 */
function meterCounts(
  usage: JsonObject,
  searches: number,
  plainInput: number,
): MeterCounts | undefined {
  const extra: MeterCounts = {};
  let left = plainInput;
  const modal = (field: string, modality: string): number => modalCount(usage, field, modality);
  for (const [modality, input, output] of MODALITY_METERS) {
    const uncached = Math.min(
      modal('promptTokensDetails', modality) -
        modal('cacheTokensDetails', modality) +
        modal('toolUsePromptTokensDetails', modality),
      left,
    );
    if (uncached > 0) {
      extra[input] = uncached;
      left -= uncached;
    }
    const made = modal('candidatesTokensDetails', modality);
    if (made > 0) extra[output] = made;
  }
  if (searches > 0) extra.webSearch = searches;
  return Object.keys(extra).length === 0 ? undefined : extra;
}

const MODALITY_METERS = [
  ['AUDIO', 'audioInput', 'audioOutput'],
  ['IMAGE', 'imageInput', 'imageOutput'],
] as const satisfies readonly (readonly [string, MeterId, MeterId])[];

function modalCount(usage: JsonObject, field: string, modality: string): number {
  let count = 0;
  for (const detail of listOf(fieldOf(usage, field))) {
    if (isJsonObject(detail) && detail['modality'] === modality) {
      count += countOf(detail, 'tokenCount');
    }
  }
  return count;
}

/** Counts as Gemini words them. */
export function usageObject(counts: TokenCounts): OwnJsonObject {
  const { input, cachedInput, output, reasoning, extra } = counts;
  const usage: OwnJsonObject = {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
  };
  if (cachedInput > 0) usage['cachedContentTokenCount'] = cachedInput;
  if (reasoning > 0) usage['thoughtsTokenCount'] = reasoning;
  if (extra !== undefined) Object.assign(usage, detailsOf(counts));
  return usage;
}

function detailsOf({ input, output, reasoning, extra = {} }: TokenCounts): OwnJsonObject {
  const { audioInput = 0, imageInput = 0, audioOutput = 0, imageOutput = 0 } = extra;
  const details: OwnJsonObject = {};
  if (audioInput + imageInput > 0) {
    details['promptTokensDetails'] = split(input, audioInput, imageInput);
  }
  if (audioOutput + imageOutput > 0) {
    details['candidatesTokensDetails'] = split(output - reasoning, audioOutput, imageOutput);
  }
  return details;
}

function split(all: number, audio: number, image: number): OwnJsonObject[] {
  const counts = [
    { modality: 'TEXT', tokenCount: all - audio - image },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ];
  return counts.filter(({ tokenCount }) => tokenCount > 0);
}

/** Gemini 2 and older charge for a prompt that was searched for, later ones for each search. */
const CHARGED_BY_PROMPT = /(?:^|\/)gemini-[12](?:\.|-|$)/;

/**
 * Returns how many searches a candidate is charged for.
 * @param model as the upstream names it
 */
export function searchesOf(candidate: JsonObject, model: unknown): number {
  const grounding = fieldOf(candidate, 'groundingMetadata');
  if (!isJsonObject(grounding)) return 0;
  const queries = listOf(fieldOf(grounding, 'webSearchQueries')).filter((query) => query !== '');
  const byPrompt = typeof model === 'string' && CHARGED_BY_PROMPT.test(model);
  return byPrompt ? Math.min(1, queries.length) : queries.length;
}
