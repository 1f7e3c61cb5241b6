import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  startRefusingUpstream,
  type RefusingUpstream,
} from '../../gateway/data-plane/request-path/support/refusing-upstream.ts';
import { goTo, untilSettled } from './pages.ts';
import { BROKEN_MODEL } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'strict-1';

/** A channel whose upstream refuses `seed`, for keys that can use the broken model too. */
async function addStrictModel(baseUrl: string): Promise<string> {
  const { fixture } = stockedConsole();
  const { data: models } = await fixture.ask('listModels', { query: { limit: 200 } });
  const { groupIds = [] } = models.find(({ publicId }) => publicId === BROKEN_MODEL) ?? {};
  const body = { publicId: MODEL, contextTokensMax: 8_192, outputTokensMax: 1_024, groupIds };
  const { id: modelId } = await fixture.ask('createModel', { body });
  await fixture.ask('createPrice', {
    params: { modelId },
    body: { inputUsd: '1', outputUsd: '2' },
  });
  const channel = await fixture.ask('createChannel', {
    body: {
      name: 'strict',
      baseUrl,
      allowPrivate: true,
      models: [{ modelId, upstreamName: MODEL }],
    },
  });
  return channel.id;
}

async function askWithSeed(): Promise<Response> {
  const { fixture, stock } = stockedConsole();
  return fetch(`${fixture.weir.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stock.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, seed: 1, messages: [{ role: 'user', content: 'Hi.' }] }),
  });
}

/** Tests of profiles: found, chosen and learned. */
export function testTargets(): void {
  let page: Page;
  let upstream: RefusingUpstream;
  let channelId: string;
  beforeAll(async () => {
    const { fixture, stock } = stockedConsole();
    upstream = await startRefusingUpstream();
    upstream.refuse = (body) =>
      'seed' in body
        ? { error: { error: { message: "property 'seed' is unsupported" } } }
        : undefined;
    channelId = await addStrictModel(upstream.url);
    ({ page } = await fixture.visitor({ as: stock.admin }));
    await page.goto('/admin/channels');
    await untilSettled(page);
  });
  afterAll(async () => {
    await page.context().close();
    await upstream.close();
  });

  it('shows what was learned of an upstream, keeps it for good, and forgets it', async () => {
    const { fixture } = stockedConsole();
    await expect.poll(async () => (await askWithSeed()).status).toBe(200);
    const learned = async () => {
      const { data } = await fixture.ask('listTargets', { params: { channelId } });
      return data.flatMap((target) => target.learned);
    };
    await expect.poll(async () => (await learned()).length).toBe(1);
    await goTo(page, `/admin/channels/${channelId}`);
    const row = page.getByTestId('learned');
    await row.getByText(/is left out since \d{2}:\d{2}:\d{2}, for one account so far/).waitFor();
    await row.getByText("property 'seed' is unsupported").waitFor();
    await row.getByRole('button', { name: 'Leave seed out for good' }).click();
    await row.getByText('is left out for good.').waitFor();
    await row.getByRole('button', { name: 'Forget the refusal of seed' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await learned()).toEqual([]);
  });

  it('shows the profile in force, and takes another one', async () => {
    const { fixture } = stockedConsole();
    await goTo(page, `/admin/channels/${channelId}`);
    const targets = page.getByTestId('targets');
    await targets.getByTestId('in-force').getByText('Generic').waitFor();
    await targets.getByRole('button', { name: `Change the profile of ${MODEL}` }).click();
    await targets.getByText('The cache key is left out.').waitFor();
    await targets.getByRole('combobox').selectOption({ label: 'Groq' });
    await page.getByTestId('save').click();
    await targets.getByText('By hand').waitFor();
    await targets.getByTestId('in-force').getByText('Groq').waitFor();
    await targets.getByRole('combobox').selectOption({ label: 'Groq · GPT-5.1' });
    await page.getByTestId('save').click();
    await targets.getByTestId('in-force').getByText('Groq · GPT-5.1').waitFor();
    await untilSettled(page);
    const channel = await fixture.ask('getChannel', { params: { channelId } });
    expect(channel.models).toMatchObject([{ upstreamName: MODEL, profile: 'groq/gpt-5.1' }]);
  });
}
