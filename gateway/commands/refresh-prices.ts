/**
 * `npm run prices:refresh -- <file or https address>`: makes the price list that comes with Weir
 * from LiteLLM's `model_prices_and_context_window.json` or models.dev's `api.json`. It keeps the
 * models that vendors sell themselves, without those that have no price per token.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { ListPriceList, ListPriceView } from '@weir/shared/prices/prices';
import type { ListedModel, PriceListFormat } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import { VENDOR_LIST_FILE } from '../pricing/vendor-list.ts';

const USAGE = 'Usage: npm run prices:refresh -- <file or https address of a price list>';

/** Both are under the MIT License: github.com/BerriAI/litellm, github.com/sst/models.dev */
const SOURCES: Readonly<Record<Exclude<PriceListFormat, 'weir'>, ListPriceList['source']['name']>> =
  { litellm: 'LiteLLM', 'models.dev': 'models.dev' };

/** The vendors as the lists call them. A name that two of them sell is the first one's. */
const VENDORS: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google',
  google: 'Google',
  xai: 'xAI',
  deepseek: 'DeepSeek',
  mistral: 'Mistral',
  moonshot: 'Moonshot AI',
  moonshotai: 'Moonshot AI',
  dashscope: 'Alibaba',
  alibaba: 'Alibaba',
  zai: 'Z.ai',
  minimax: 'MiniMax',
  cohere: 'Cohere',
};

function viewOf(model: ListedModel): ListPriceView[] {
  const { name, provider, prices, contextTokensMax, capabilities } = model;
  const vendor = VENDORS[provider];
  const isFree = prices?.inputUsd === '0' && prices.outputUsd === '0';
  if (vendor === undefined || prices === null || isFree || contextTokensMax === null) return [];
  const { longContext, perCallUsd, ...tokens } = prices;
  const whole = <Tokens extends typeof tokens | NonNullable<typeof longContext>>(of: Tokens) => ({
    ...of,
    cachedInputUsd: of.cachedInputUsd ?? of.inputUsd,
    cacheWriteUsd: of.cacheWriteUsd ?? of.inputUsd,
  });
  return [
    {
      publicId: name,
      displayName: model.displayName === '' ? name : model.displayName,
      vendor,
      contextTokensMax,
      outputTokensMax: model.outputTokensMax ?? contextTokensMax,
      capabilities,
      prices: {
        ...whole(tokens),
        perCallUsd: perCallUsd ?? '0',
        longContext: longContext && whole(longContext),
      },
    },
  ];
}

async function read(source: string): Promise<string> {
  if (!source.startsWith('https://')) return readFile(source, 'utf8');
  const reply = await fetch(source);
  if (!reply.ok) throw new Error(`${source} answered ${String(reply.status)}.`);
  return reply.text();
}

async function refresh(source: string | undefined): Promise<string> {
  if (source === undefined) throw new Error(USAGE);
  const list = readPriceList(await read(source));
  if ('kind' in list) throw new Error(`${source} is no price list that Weir reads: ${list.kind}.`);
  if (list.format === 'weir') throw new Error(USAGE);
  const order = Object.keys(VENDORS);
  const models = new Map<string, ListPriceView>();
  for (const model of list.models.toSorted(
    (one, other) => order.indexOf(one.provider) - order.indexOf(other.provider),
  )) {
    for (const view of viewOf(model)) {
      if (!models.has(view.publicId)) models.set(view.publicId, view);
    }
  }
  const date = new Date().toISOString().slice(0, 10);
  const made: ListPriceList = {
    source: { name: SOURCES[list.format], licence: 'MIT', date },
    data: [...models.values()],
  };
  // A model a line, so that a change of prices is a short diff.
  const lines = made.data.map((model) => JSON.stringify(model)).join(',\n');
  const head = JSON.stringify(made.source);
  await writeFile(VENDOR_LIST_FILE, `{ "source": ${head}, "data": [\n${lines}\n] }\n`);
  return `${String(models.size)} models of ${made.source.name}, read on ${date}.`;
}

try {
  process.stdout.write(`${await refresh(process.argv[2])}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
