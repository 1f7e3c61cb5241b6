import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PASSWORD, type Visitor } from '../support/console-fixture.ts';
import { amountOf } from './money-shown.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const USD = 1_000_000_000;
/** The first price of MODEL: nanodollars per token. */
const INPUT_PRICE = 2_000;
const OUTPUT_PRICE = 10_000;
const INPUT_TOKENS = 1_234;
const OUTPUT_TOKENS = 57;
const COST_NANO_USD = INPUT_TOKENS * INPUT_PRICE + OUTPUT_TOKENS * OUTPUT_PRICE;
const PIECES = ['A weir', ' keeps', ' the river', ' at its level', '.'];

let visitor: Visitor;
let page: Page;

/** The balance in the margin, once it is known. */
function balance(): Promise<number> {
  return amountOf(page.locator('weir-side-nav .balance weir-money'));
}

async function registerAsAnyoneDoes(): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  // The page before has a field of the same name, and is shown until the next one is there.
  await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  expect(await balance()).toBe(0);
  expect(await page.getByText('0 of 3 done').count()).toBeGreaterThan(0);
}

async function redeem(code: string): Promise<void> {
  await page.getByRole('button', { name: 'Redeem code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeem a code' });
  // As people copy it: lower case, with a space at the end.
  await dialog.getByRole('textbox', { name: 'Code' }).fill(`${code.toLowerCase()} `);
  await dialog.getByRole('button', { name: 'Redeem code' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('1 of 3 done').first().waitFor();
  // The steps and the margin ask for themselves: either may know it first.
  await expect.poll(balance).toBe(5 * USD);
}

/** Answers the key as it is shown this once. */
async function createKey(): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await dialog.getByRole('combobox', { name: 'Model group' }).click();
  await page.getByRole('option', { name: /^general/ }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = (await dialog.getByTestId('secret').textContent()) ?? '';
  // The settings of the newcomer's tool, with the key and this gateway in them.
  const example = dialog.getByRole('region').first();
  expect(await example.textContent()).toContain(`${stockedConsole().fixture.weir.url}/v1`);
  expect(await example.textContent()).toContain(value);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I saved it' }).click();
  await page.getByText('2 of 3 done').first().waitFor();
  return value;
}

async function ask(words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Choose a model' }).selectOption(MODEL);
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  await page.keyboard.press('Enter');
}

/** The reply as it is when the exact bill is there. */
async function talk(): Promise<string | null> {
  await page.getByRole('link', { name: 'Try it in the playground' }).click();
  await ask('What does a weir do?');
  await page.locator('[data-testid="cost"][data-exact="true"]').waitFor();
  return page.getByTestId('assistant').locator('weir-markdown').textContent();
}

export function testNewcomer(): void {
  it('registers, redeems a code, creates a key, talks to a model and pays exactly what it cost', async () => {
    const { fixture, upstream } = stockedConsole();
    upstream.behave(MODEL, {
      kind: 'reply',
      pieces: PIECES,
      usage: {
        prompt_tokens: INPUT_TOKENS,
        completion_tokens: OUTPUT_TOKENS,
        total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
      },
    });
    visitor = await fixture.visitor();
    ({ page } = visitor);
    const { codes } = await fixture.ask('createRedemptionBatch', {
      body: { name: 'Welcome', count: 1, kind: 'balance', amountUsd: '5' },
    });
    await registerAsAnyoneDoes();
    await redeem(codes[0] ?? '');
    const key = await createKey();
    expect(key).toMatch(/^sk-[0-9A-Za-z]{27,}$/);

    const before = upstream.requests.length;
    expect((await talk())?.trim()).toBe(PIECES.join(''));
    expect(upstream.requests).toHaveLength(before + 1);

    // The bill of the playground, the record and the balance tell the same.
    expect(await amountOf(page.getByTestId('cost').locator('weir-money'))).toBe(COST_NANO_USD);
    expect(await page.getByTestId('tokens').textContent()).toMatch(/1,234 →\s+57/);
    await page.getByRole('link', { name: 'Explain the price' }).click();
    const record = page.getByTestId('bill');
    expect(await amountOf(record.getByTestId('record-cost').locator('weir-money'))).toBe(
      COST_NANO_USD,
    );
    expect(await record.getByRole('row', { name: /Input/ }).textContent()).toContain('1,234');
    expect(await balance()).toBe(5 * USD - COST_NANO_USD);

    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    const row = page.getByTestId('row').first();
    expect(await amountOf(row.locator('weir-money'))).toBe(COST_NANO_USD);
    await page.getByRole('link', { name: 'Getting started' }).click();
    await page.getByText('3 of 3 done').first().waitFor();

    // After a reload everything is as it was, and the key is nowhere to be found.
    await page.reload();
    await page.getByText('3 of 3 done').first().waitFor();
    expect(await balance()).toBe(5 * USD - COST_NANO_USD);
    expect(await page.content()).not.toContain(key);

    // What there is of a reply is shown, also when the rest never comes.
    upstream.behave(MODEL, { kind: 'reply', pieces: PIECES, end: 'hang', cutAfterEvents: 3 });
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await ask('And when it is full?');
    await page.getByTestId('assistant').getByText(PIECES.slice(0, 2).join('')).waitFor();
    upstream.behave(MODEL, { kind: 'reply' });
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });
}
