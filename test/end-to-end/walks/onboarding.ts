import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { until } from '../../support/clocks/hang.ts';
import { bringAxe, tooWide, violations } from '../support/barriers.ts';
import { countClicks } from '../support/clicks.ts';
import { untilSettled } from './pages.ts';
import { serveWith } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** More would not be "in a minute". */
const CLICKS_MAX = 10;
const MODELS_COUNT = 20;
const KEY = 'onboarding-upstream-secret';
const namesOf = (water: string) =>
  Array.from({ length: MODELS_COUNT }, (_, index) => `${water}-${String(index + 1)}`);
/** The two walks share an installation: what one sells is not new to the other. */
const LAKES = namesOf('lake');
const BAYS = namesOf('bay');
/** Sold at this installation already, and one that no list knows. */
const KNOWN_MODEL = 'gpt-6.2-sol';
const UNLISTED_MODEL = 'pond-1';

/** As LiteLLM's file is, with what Weir has no meter for. */
function litellmFile(): string {
  const entries = [...LAKES, ...BAYS]
    .map((model, number) => [model, number % MODELS_COUNT] as const)
    .map(([model, index]) => [
      model,
      {
        litellm_provider: 'lakes',
        mode: 'chat',
        max_input_tokens: 200_000,
        max_output_tokens: 8_192,
        input_cost_per_token: 1e-6 * (index + 1),
        output_cost_per_token: 4e-6 * (index + 1),
        cache_read_input_token_cost: 1e-7 * (index + 1),
        input_cost_per_token_above_128k_tokens: 2e-6 * (index + 1),
        output_cost_per_token_above_128k_tokens: 6e-6 * (index + 1),
        output_cost_per_token_batches: 2e-6,
      },
    ]);
  return JSON.stringify(Object.fromEntries(entries));
}

const FILE = {
  name: 'model_prices_and_context_window.json',
  mimeType: 'application/json',
  buffer: Buffer.from(litellmFile()),
};

let upstream: FakeUpstream;
let page: Page;

async function openWizard(): Promise<void> {
  await page.getByRole('link', { name: 'Add channel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add a channel' }).waitFor();
}

async function connect(address: string, key = KEY): Promise<void> {
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(address);
  await page.getByRole('textbox', { name: /^Key/ }).fill(key);
  await page.getByRole('switch', { name: 'Private address' }).click();
  await page.getByTestId('connect').click();
}

function offer(model: string): Locator {
  return page.getByTestId('offer').filter({
    has: page.getByText(model, { exact: true }),
  });
}

async function importPrices(file = FILE): Promise<Locator> {
  await page.getByTestId('import-prices').click();
  const dialog = page.getByRole('dialog', { name: 'Import prices' });
  await chooseFile(dialog, file);
  return dialog;
}

async function chooseFile(dialog: Locator, file: typeof FILE): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(file);
}

async function modelNamed(search: string) {
  const { data } = await stockedConsole().fixture.ask('listModels', { query: { search } });
  return data.find(({ publicId }) => publicId === search);
}

function prepare(models: readonly string[]): void {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ models: [...models, KNOWN_MODEL, UNLISTED_MODEL] });
    const { fixture, stock } = stockedConsole();
    const visitor = await fixture.visitor({ as: stock.admin });
    await bringAxe(visitor);
    ({ page } = visitor);
    await page.goto('/admin/channels');
    await untilSettled(page);
  });
  afterAll(async () => {
    await page.context().close();
    await upstream.close();
  });
}

/** Tests of an operator who adds a new upstream. */
export function testOnboarding(): void {
  prepare(LAKES);

  it('sells twenty models of a new upstream at imported prices in ten clicks', async ({
    annotate,
  }) => {
    const { fixture, stock } = stockedConsole();
    const clicks = await countClicks(page);
    const begunMs = performance.now();
    await openWizard();
    await connect(upstream.url.replace('http://', ''));
    await page.getByTestId('found').getByText('OpenAI-compatible').waitFor();
    const dialog = await importPrices();
    await dialog.getByText('prices for 20 of 22 models').waitFor();
    await dialog.getByTestId('use-list').click();
    await page.getByTestId('tick-proposed').click();
    await page.getByRole('combobox', { name: 'Sell in groups' }).click();
    await page.getByRole('option', { name: 'mixed' }).click();
    await page.keyboard.press('Escape');
    await page.getByTestId('save').click();
    await page.getByText('is added with 20 models.').waitFor();
    const tookMs = performance.now() - begunMs;
    const clicked = await clicks();
    await annotate(`${String(clicked)} clicks, ${(tookMs / 1_000).toFixed(1)} s`);
    expect(clicked).toBeLessThanOrEqual(CLICKS_MAX);

    expect(await modelNamed('lake-3')).toMatchObject({
      contextTokensMax: 200_000,
      outputTokensMax: 8_192,
      price: {
        inputUsd: '3',
        outputUsd: '12',
        cachedInputUsd: '0.3',
        longContext: { aboveTokens: 128_000, inputUsd: '6', outputUsd: '18' },
      },
    });
    // A customer can use it, with the key that was entered.
    await until('a gateway that serves the model', async () => {
      const reply = await serveWith(fixture, stock.key, 'lake-20');
      await reply.text();
      return reply.status === 200;
    });
    expect(upstream.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });
}

/** Tests of other events on the way. */
export function testOnboardingAround(): void {
  prepare(BAYS);

  it('says what is wrong with an address or a key at its field, and offers private addresses', async () => {
    await page.goto('/admin/channels/new');
    await page.getByRole('button', { name: 'OpenRouter' }).click();
    const address = page.getByRole('textbox', { name: 'Address', exact: true });
    expect(await address.inputValue()).toBe('https://openrouter.ai/api/v1');
    await address.fill(upstream.url);
    await page.getByTestId('connect').click();
    await page
      .locator('mat-error')
      .filter({ hasText: /private/i })
      .waitFor();
    const refusing = await startFakeUpstream();
    await refusing.refuse();
    await page.getByRole('switch', { name: 'Private address' }).click();
    await address.fill(refusing.url);
    await page.getByTestId('connect').click();
    await page.locator('mat-error').filter({ hasText: 'ECONNREFUSED' }).waitFor();
    await refusing.close();
  });

  it('tests a model before anything is saved, and says that it streams', async () => {
    await page.goto('/admin/channels/new');
    await connect(upstream.url);
    await page.getByRole('button', { name: `Test ${UNLISTED_MODEL}` }).click();
    const test = offer(UNLISTED_MODEL).getByTestId('offer-test');
    await test.getByText('It works.').waitFor();
    expect(await test.textContent()).toContain('streamed');
    upstream.behave('bay-1', {
      kind: 'status',
      status: 404,
      body: { error: { message: 'no such model here' } },
    });
    await page.getByRole('button', { name: 'Test bay-1', exact: true }).click();
    await offer('bay-1').getByText('no such model here').waitFor();
    upstream.reset();
  });

  it('marks what is sold already, and shows what a list changes and does not carry over', async () => {
    await offer(KNOWN_MODEL).getByText('Sold already').waitFor();
    const broken = { ...FILE, buffer: Buffer.from('{"bay-1": {"input_cost_per_token": 1e-6') };
    const dialog = await importPrices(broken);
    await dialog.getByText('The text is not JSON').waitFor();
    await chooseFile(dialog, FILE);
    await dialog.getByText('– → $2.00').waitFor();
    await dialog.getByText('Not carried over').click();
    await dialog.getByText('output_cost_per_token_batches').waitFor();
    await dialog.getByTestId('use-list').click();
    await page.getByRole('textbox', { name: 'Markup' }).fill('10');
    await offer('bay-2').getByText('$2.20 → $8.80').waitFor();
  });

  it('has no barrier with rows that are open, nor while prices are imported, and fits a phone', async () => {
    await offer('bay-2').getByRole('checkbox').click();
    await page.getByText('All settings of the channel').click();
    expect(await violations(page, 'models of an upstream')).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    const dialog = await importPrices();
    await dialog.getByTestId('use-list').waitFor();
    expect(await violations(page, 'import of prices')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await offer('bay-2').getByRole('checkbox').click();
  });

  it('keeps nothing when one model is refused, and leads to what is wrong with it', async () => {
    await offer('bay-2').getByRole('checkbox').click();
    await offer('bay-7').getByRole('checkbox').click();
    await page.getByRole('textbox', { name: 'Sold as: bay-7' }).fill(KNOWN_MODEL);
    await page.getByTestId('save').click();
    const groups = page.getByRole('combobox', { name: 'Sell in groups' });
    await expect.poll(() => groups.getAttribute('aria-invalid')).toBe('true');
    await groups.click();
    await page.getByRole('option', { name: 'mixed' }).click();
    await page.keyboard.press('Escape');
    // Out of sight: it is found again.
    await page.getByRole('searchbox').fill('bay-2');
    await offer('bay-7').waitFor({ state: 'detached' });
    await page.getByTestId('save').click();
    const field = page.getByRole('textbox', { name: 'Sold as: bay-7' });
    await field.waitFor();
    await offer('bay-7').getByText(`There is a model ${KNOWN_MODEL} with a price.`).waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe(KNOWN_MODEL);
    const { data } = await stockedConsole().fixture.ask('listChannels');
    expect(data.filter(({ baseUrl }) => baseUrl === upstream.url)).toHaveLength(0);
  });

  it('adds new models of its upstream to a channel that is there, with prices, and saves nothing else', async () => {
    const { fixture } = stockedConsole();
    const known = await modelNamed(KNOWN_MODEL);
    const channel = await fixture.ask('createChannel', {
      body: {
        name: 'Bay',
        kind: 'openai',
        baseUrl: upstream.url,
        allowPrivate: true,
        models: [{ modelId: known?.id ?? '', upstreamName: KNOWN_MODEL }],
      },
    });
    await page.goto(`/admin/channels/${channel.id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Not saved');
    await page.getByTestId('fetch-models').click();
    const dialog = page.getByRole('dialog', { name: 'More models of the upstream' });
    await offer(UNLISTED_MODEL).getByRole('checkbox').check();
    await dialog.getByRole('textbox', { name: `Input: ${UNLISTED_MODEL}` }).fill('0.5');
    await dialog.getByRole('textbox', { name: `Output: ${UNLISTED_MODEL}` }).fill('2');
    expect(await violations(page, 'more models of an upstream')).toEqual([]);
    await dialog.getByTestId('save').click();
    const groups = dialog.getByRole('combobox', { name: 'Sell in groups' });
    await expect.poll(() => groups.getAttribute('aria-invalid')).toBe('true');
    await groups.click();
    await page.getByRole('option', { name: 'mixed' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByTestId('save').click();
    await page.getByText('1 model added.').waitFor();

    const params = { channelId: channel.id };
    const saved = await fixture.ask('getChannel', { params });
    expect([saved.name, saved.models.length]).toEqual(['Bay', 2]);
    const added = await modelNamed(UNLISTED_MODEL);
    expect([added?.price?.inputUsd, added?.groupIds.length]).toEqual(['0.5', 1]);
    const name = page.getByRole('textbox', { name: `What the upstream calls ${UNLISTED_MODEL}` });
    expect(await name.inputValue()).toBe(UNLISTED_MODEL);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Not saved');
    await fixture.ask('deleteChannel', { params });
  });

  it('changes prices of models that are sold by a list, after a dry run with old and new', async () => {
    const file = {
      [KNOWN_MODEL]: {
        litellm_provider: 'openai',
        input_cost_per_token: 3e-6,
        output_cost_per_token: 1.1e-5,
      },
    };
    const before = (await modelNamed(KNOWN_MODEL))?.price;
    await page.goto('/admin/models');
    await page.getByTestId('import').click();
    const dialog = page.getByRole('dialog', { name: 'Import models' });
    const buffer = Buffer.from(JSON.stringify(file));
    await chooseFile(dialog, { ...FILE, buffer });
    await dialog.getByText('$2.00 → $3.00').waitFor();
    await dialog.getByRole('textbox', { name: 'Markup' }).fill('10');
    expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('$2.00 → $3.30').waitFor();
    expect((await modelNamed(KNOWN_MODEL))?.price).toEqual(before);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const { price, contextTokensMax } = (await modelNamed(KNOWN_MODEL)) ?? {};
    expect([price?.inputUsd, price?.outputUsd, contextTokensMax]).toEqual([
      '3.3',
      '12.1',
      1_050_000,
    ]);
  });
}
