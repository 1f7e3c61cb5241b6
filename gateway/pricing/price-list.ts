import type { MeterId } from '@weir/shared/prices/meters';
import type { MODEL_CAPABILITIES } from '@weir/shared/catalog/models';

/**
 * The catalog of a first start. Prices are the vendors' list prices in USD per 1,000,000 tokens as
 * published in November 2026; where a vendor charges nothing extra for writing its cache, that
 * price is the input's. They are a starting point: an operator sets the prices that apply in the
 * console.
 */
export interface ListedModel {
  readonly publicId: string;
  readonly displayName: string;
  readonly vendor: string;
  readonly contextTokensMax: number;
  readonly outputTokensMax: number;
  readonly capabilities: readonly (typeof MODEL_CAPABILITIES)[number][];
  readonly prices: ListedPrices;
  /** The price list of long prompts, if they cost more. */
  readonly longContext?: { readonly aboveTokens: number; readonly prices: ListedPrices };
}

/** Decimal numbers of US dollars. */
export interface ListedPrices {
  readonly inputUsd: string;
  readonly cachedInputUsd: string;
  readonly cacheWriteUsd: string;
  readonly outputUsd: string;
  /** Prices of meters; those for calls are USD per call. */
  readonly extra?: Readonly<Partial<Record<MeterId, string>>>;
}

export interface ListedGroup {
  readonly name: string;
  readonly description: string;
  /** Vendors whose models it has; null has all models, those without a vendor included. */
  readonly vendors: readonly string[] | null;
}

export const OPENAI = 'OpenAI';
export const ANTHROPIC = 'Anthropic';
export const GOOGLE = 'Google';

/** The group of the first key: it may use everything. */
export const FIRST_KEY_GROUP = 'mixed';

export const LISTED_GROUPS: readonly ListedGroup[] = [
  {
    name: 'general',
    description: 'General purpose: chat clients, SDKs and agents.',
    vendors: [OPENAI],
  },
  {
    name: 'claude-tools',
    description: 'Claude models, for Claude Code and other tools of that family.',
    vendors: [ANTHROPIC],
  },
  {
    name: 'gemini-cli',
    description: 'Gemini models, for the Gemini command line and its relatives.',
    vendors: [GOOGLE],
  },
  {
    name: FIRST_KEY_GROUP,
    description: 'Every model, for tests and for tools that mix vendors.',
    vendors: null,
  },
];

/** The vendors' charges for a web search that their models make, in USD. */
const OPENAI_SEARCH = { webSearch: '0.01' };
const ANTHROPIC_SEARCH = { webSearch: '0.01' };
const GOOGLE_SEARCH = { webSearch: '0.014' };

const CHAT = ['vision', 'tools', 'json', 'reasoning', 'cache'] as const;
const MULTIMODAL = ['vision', 'audio', 'files', 'tools', 'json', 'reasoning', 'cache'] as const;

/** Input, cached input, cache write, output. */
function usd(
  inputUsd: string,
  cachedInputUsd: string,
  cacheWriteUsd: string,
  outputUsd: string,
): ListedPrices {
  return { inputUsd, cachedInputUsd, cacheWriteUsd, outputUsd };
}

function openAi(publicId: string, displayName: string, list: ListedPrices): ListedModel {
  const limits = { contextTokensMax: 1_050_000, outputTokensMax: 128_000 };
  const prices = { ...list, extra: OPENAI_SEARCH };
  return { publicId, displayName, vendor: OPENAI, ...limits, capabilities: CHAT, prices };
}

/** Returns a Claude: writes to the cache for an hour cost twice the input. */
function anthropic(
  publicId: string,
  displayName: string,
  list: ListedPrices,
  cacheWrite1h: string,
): ListedModel {
  const limits = { contextTokensMax: 1_000_000, outputTokensMax: 128_000 };
  const prices = { ...list, extra: { ...ANTHROPIC_SEARCH, cacheWrite1h } };
  return { publicId, displayName, vendor: ANTHROPIC, ...limits, capabilities: CHAT, prices };
}

function google(publicId: string, displayName: string, list: ListedPrices): ListedModel {
  const limits = { contextTokensMax: 1_048_576, outputTokensMax: 65_536 };
  const prices = { ...list, extra: GOOGLE_SEARCH };
  return { publicId, displayName, vendor: GOOGLE, ...limits, capabilities: MULTIMODAL, prices };
}

export const LISTED_MODELS: readonly ListedModel[] = [
  openAi('gpt-6.2-astra', 'GPT-6.2 Astra', usd('8', '0.4', '10', '40')),
  openAi('gpt-6.2-sol', 'GPT-6.2 Sol', usd('2', '0.1', '2.5', '10')),
  openAi('gpt-6.1-terra', 'GPT-6.1 Terra', usd('1', '0.05', '1.25', '5')),
  openAi('gpt-6-luna', 'GPT-6 Luna', usd('0.1', '0.01', '0.125', '0.5')),
  {
    // Still what many clients are set to when they are installed.
    publicId: 'gpt-4o-mini',
    displayName: 'GPT-4o mini',
    vendor: OPENAI,
    contextTokensMax: 128_000,
    outputTokensMax: 16_384,
    capabilities: ['vision', 'tools', 'json', 'cache'],
    prices: usd('0.15', '0.075', '0.15', '0.6'),
  },
  anthropic('claude-fable-5-1', 'Claude Fable 5.1', usd('10', '0.25', '12.5', '50'), '20'),
  anthropic('claude-opus-5-5', 'Claude Opus 5.5', usd('4', '0.2', '5', '20'), '8'),
  anthropic('claude-sonnet-5-5', 'Claude Sonnet 5.5', usd('2', '0.1', '2.5', '10'), '4'),
  anthropic('claude-haiku-5-5', 'Claude Haiku 5.5', usd('0.1', '0.01', '0.125', '0.5'), '0.2'),
  {
    ...google('gemini-3.1-pro-preview', 'Gemini 3.1 Pro', usd('2', '0.2', '2', '12')),
    longContext: {
      aboveTokens: 200_000,
      prices: { ...usd('4', '0.4', '4', '18'), extra: GOOGLE_SEARCH },
    },
  },
  google('gemini-3.8-flash', 'Gemini 3.8 Flash', usd('0.75', '0.075', '0.75', '3.75')),
  google('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', usd('0.3', '0.03', '0.3', '2.5')),
];
