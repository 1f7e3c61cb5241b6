import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeGoogle, type FakeGoogle } from '../support/upstreams/fake-google/fake-google.ts';
import { until } from '../support/clocks/hang.ts';
import { streamedReply, wholeReply } from '../support/upstreams/strict-upstream/replies.ts';
import { countClicks } from './support/clicks.ts';
import { untilSettled } from './walks/pages.ts';
import { serveWith } from './support/stock.ts';
import {
  closeStockedConsole,
  openStockedConsole,
  stockedConsole,
} from './support/stocked-console.ts';

const MODEL = 'gemini-2.5-pro';
/** More would not be "in a minute". */
const CLICKS_MAX = 12;

let google: FakeGoogle;

beforeAll(async () => {
  google = await startFakeGoogle();
  const turn = { pieces: ['Served by Vertex.'] };
  google.reply = ({ method }) =>
    method === 'streamGenerateContent'
      ? { events: streamedReply('gemini', turn) }
      : { json: wholeReply('gemini', turn) };
  await openStockedConsole();
});

afterAll(async () => {
  await closeStockedConsole();
  await google.close();
});

it('sells a model of Vertex AI with a pasted key file, which is shown by its account', async ({
  annotate,
}) => {
  const { fixture, stock } = stockedConsole();
  const { page, complaints } = await fixture.visitor({ as: stock.admin });
  await page.goto('/admin/channels');
  await untilSettled(page);
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Add channel' }).click();
  await page.getByRole('button', { name: 'Vertex AI' }).click();
  const address = page.getByRole('textbox', { name: 'Address', exact: true });
  expect(await address.inputValue()).toContain('/projects/{project}/locations/global');
  await address.fill(google.baseUrl());
  await page.getByRole('textbox', { name: /^Key/ }).fill(google.keyFile);
  await page.getByRole('switch', { name: 'Private address' }).click();
  await page.getByTestId('connect').click();
  await page.getByTestId('found').getByText('Google Vertex AI').waitFor();
  const offer = page.getByTestId('offer').filter({ has: page.getByText(MODEL, { exact: true }) });
  await page.getByRole('button', { name: `Test ${MODEL}` }).click();
  await offer.getByTestId('offer-test').getByText('Served by Vertex.').waitFor();
  await offer.getByRole('checkbox').check();
  await page.getByRole('textbox', { name: `Input: ${MODEL}` }).fill('1.25');
  await page.getByRole('textbox', { name: `Output: ${MODEL}` }).fill('10');
  await page.getByRole('combobox', { name: 'Sell in groups' }).click();
  await page.getByRole('option', { name: 'mixed' }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('save').click();
  await page.getByText('is added with 1 model').waitFor();
  const clicked = await clicks();
  await annotate(`${String(clicked)} clicks`);
  expect(clicked).toBeLessThanOrEqual(CLICKS_MAX);

  await page.getByText('weir@test-project-1.iam.gserviceaccount.com 01234567').waitFor();
  expect(await page.content()).not.toContain('PRIVATE KEY');
  expect(complaints).toEqual([]);
  await until('a gateway that serves the model', async () => {
    const reply = await serveWith(fixture, stock.key, MODEL);
    await reply.text();
    return reply.status === 200;
  });
  await page.context().close();
});
