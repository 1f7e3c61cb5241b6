/** An operator adds a channel of Amazon Bedrock with an access key, and a customer is served. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeAws, type FakeAws } from '../support/upstreams/fake-aws/fake-aws.ts';
import {
  ACCESS_KEY,
  ACCESS_KEY_ID,
  SECRET_ACCESS_KEY,
} from '../support/upstreams/fake-aws/verify-request.ts';
import { bringAxe, tooWide, violations } from './support/barriers.ts';
import { countClicks } from './support/clicks.ts';
import {
  createConsoleFixture,
  type ConsoleFixture,
  type Visitor,
} from './support/console-fixture.ts';

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
/** The address is typed, not clicked together. */
const CLICKS_MAX = 10;

let aws: FakeAws;
let fixture: ConsoleFixture;
let visitor: Visitor;

beforeAll(async () => {
  aws = await startFakeAws();
  aws.reply = () => ({
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  });
  fixture = await createConsoleFixture();
  visitor = await fixture.visitor({ as: await fixture.logIn(fixture.admin) });
  await bringAxe(visitor);
});

afterAll(async () => {
  await visitor.context.close();
  await fixture.close();
  await aws.close();
});

it('a channel of Bedrock is found out, tested and sold in ten clicks', async ({ annotate }) => {
  const { page, complaints } = visitor;
  await page.goto('/admin/channels/new');
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Amazon Bedrock' }).click();
  const address = page.getByRole('textbox', { name: 'Address', exact: true });
  expect(await address.inputValue()).toBe('https://bedrock-runtime.{region}.amazonaws.com');
  await page.getByText('an access key as AKIA…:secret').waitFor();
  await page.keyboard.type('eu-west-1');
  expect(await address.inputValue()).toBe('https://bedrock-runtime.eu-west-1.amazonaws.com');
  await address.fill(aws.url);
  await page.getByRole('textbox', { name: /^Key/ }).fill(ACCESS_KEY);
  await page.getByTestId('connect').click();
  await page.getByTestId('found').getByText('Amazon Bedrock').waitFor();
  expect(await violations(page, 'Bedrock found out')).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  await page.getByRole('button', { name: `Test ${MODEL}` }).click();
  await page.getByText('It works.').waitFor();
  const offer = page.getByTestId('offer').filter({ has: page.getByText(MODEL, { exact: true }) });
  await offer.getByRole('checkbox').check();
  await page.getByRole('textbox', { name: `Sold as: ${MODEL}` }).fill('claude-sonnet-4-5');
  await page.getByRole('textbox', { name: `Input: ${MODEL}` }).fill('3');
  await page.getByRole('textbox', { name: `Output: ${MODEL}` }).fill('15');
  await page.getByRole('combobox', { name: 'Sell in groups' }).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await page.getByTestId('save').click();
  await page.getByText('is added with 1 model.').waitFor();
  const clicked = await clicks();
  await annotate(`${String(clicked)} clicks`);
  expect(clicked).toBeLessThanOrEqual(CLICKS_MAX);

  const { data } = await fixture.ask('listChannels');
  const channel = data.find(({ kind }) => kind === 'bedrock');
  expect(channel).toMatchObject({ baseUrl: aws.url, protocols: null });
  // The id of an access key is no secret; the secret is never shown.
  expect(channel?.credentials[0]?.hint).toBe(ACCESS_KEY_ID.slice(-4));
  await page.goto(`/admin/channels/${channel?.id ?? ''}`);
  await page.getByText(ACCESS_KEY_ID.slice(-4)).first().waitFor();
  expect(await page.content()).not.toContain(SECRET_ACCESS_KEY);
  await page.getByRole('textbox', { name: /^Fields to leave out/ }).waitFor();
  expect(complaints).toEqual([]);
});
