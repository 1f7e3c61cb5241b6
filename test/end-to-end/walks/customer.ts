import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE, type Visitor } from '../support/console-fixture.ts';
import { goTo, openMenu, untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const MARKDOWN = ['Use **this**:\n\n', '```sh\nnpm start\n```\n', '\n<img src=x onerror=alert(1)>'];
const USAGE = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };

async function ask(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Choose a model' }).selectOption(MODEL);
  await page.getByTestId('draft').fill(words);
  await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  await page.getByTestId('draft').press('Enter');
}

async function isInWindow(page: Page, testId: string): Promise<boolean> {
  const box = await page.getByTestId(testId).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

function testConversation(pageOf: () => Page): void {
  it('shows code to copy, runs nothing, and is there after another page and Back', async () => {
    const page = pageOf();
    const { upstream } = stockedConsole();
    upstream.behave(MODEL, { kind: 'reply', pieces: MARKDOWN, usage: USAGE });
    await goTo(page, '/playground');
    await ask(page, 'How do I start it?');
    await page.locator('[data-testid="cost"][data-exact="true"]').waitFor();
    const reply = page.getByTestId('assistant');
    expect(await reply.locator('strong').textContent()).toBe('this');
    expect(await reply.locator('pre').textContent()).toBe('npm start');
    await reply.getByRole('button', { name: 'Copy sh' }).waitFor();
    expect(await reply.locator('img').count()).toBe(0);

    await page.getByTestId('draft').fill('not sent yet');
    await page.getByRole('link', { name: 'Explain the price' }).click();
    await page.waitForURL('**/requests/*');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    expect(await page.getByTestId('assistant').locator('pre').textContent()).toBe('npm start');
    expect(await page.getByTestId('draft').inputValue()).toBe('not sent yet');
  });

  it('has the counts of the bill after Stop', async () => {
    const page = pageOf();
    const { upstream } = stockedConsole();
    upstream.behave(MODEL, {
      kind: 'reply',
      pieces: ['One', ' two', ' three'],
      end: 'hang',
      cutAfterEvents: 4,
    });
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, 'Count.');
    await page.getByTestId('assistant').getByText('One two three').waitFor();
    await page.getByTestId('stop').click();
    await page.locator('[data-testid="cost"][data-exact="true"]').waitFor();
    expect(await page.getByTestId('tokens').textContent()).not.toContain('≈');
  });
}

function testErrors(pageOf: () => Page): void {
  it('keeps an error where it was, with the way to money', async () => {
    const page = pageOf();
    const { fixture, upstream } = stockedConsole();
    await fixture.ask('updateSettings', { body: { creditHelp: 'Send **coins** to Bob.' } });
    await page.reload();
    await untilSettled(page);
    const error = { message: 'Not enough.', code: 'insufficient_balance' };
    await page.route('**/v1/chat/completions', (asked) =>
      asked.fulfill({
        status: 402,
        json: { error },
        headers: { 'access-control-allow-origin': '*' },
      }),
    );
    await ask(page, 'Hello?');
    const help = page.locator('[role="log"]').getByTestId('credit-help');
    await help.locator('strong', { hasText: 'coins' }).waitFor();
    await page.unroute('**/v1/chat/completions');
    upstream.behave(MODEL, { kind: 'reply', pieces: ['Here.'] });
    await ask(page, 'And now?');
    await page.getByTestId('assistant').getByText('Here.').waitFor();
    expect(await page.getByTestId('failure').count()).toBe(1);
    await fixture.ask('updateSettings', { body: { creditHelp: '' } });
  });
}

function testProtocols(pageOf: () => Page): void {
  it('is had in each protocol', async () => {
    const page = pageOf();
    stockedConsole().upstream.behave(MODEL, { kind: 'reply', pieces: ['Hello.'], usage: USAGE });
    await goTo(page, '/playground');
    for (const [protocol, path] of [
      ['openai-responses', '/v1/responses'],
      ['anthropic-messages', '/v1/messages'],
      ['gemini', `/v1beta/models/${MODEL}:streamGenerateContent`],
      ['openai-chat', '/v1/chat/completions'],
    ] as const) {
      await page.getByRole('button', { name: 'New conversation' }).click();
      await page.getByRole('combobox', { name: 'Protocol' }).selectOption(protocol);
      const sent = page.waitForRequest(
        (one) => one.method() === 'POST' && one.url().includes(path),
      );
      await ask(page, 'Hello?');
      await sent;
      await page.getByTestId('assistant').getByText('Hello.').waitFor();
      await page.locator('[data-testid="cost"][data-exact="true"]').waitFor();
      expect(await page.getByTestId('tokens').textContent()).toMatch(/40 →\s+20/);
    }
  });

  it('has its field in sight on a phone, and when enlarged', async () => {
    const page = pageOf();
    for (const size of [PHONE, { width: 320, height: 640 }, { width: 740, height: 360 }]) {
      await page.setViewportSize(size);
      await goTo(page, '/playground');
      expect(await isInWindow(page, 'draft'), `draft at ${String(size.width)}`).toBe(true);
      expect(await isInWindow(page, 'send'), `send at ${String(size.width)}`).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });
}

function testKeys(): void {
  it('is told that a key is disabled, not to create one', async () => {
    const { fixture } = stockedConsole();
    const user = await fixture.register('disabled-key@example.org');
    const groupId = (await fixture.ask('listGroups')).data[0]?.id ?? '';
    const body = { name: 'Old laptop', groupId };
    const key = await fixture.ask('createKey', { as: user, body });
    const params = { keyId: key.id };
    await fixture.ask('updateKey', { as: user, params, body: { status: 'disabled' } });
    const { page, context } = await fixture.visitor({ as: user });
    await page.goto(`/playground?key=${key.id}`);
    await untilSettled(page);
    expect(await page.getByTestId('key-refused').textContent()).toContain(
      'The key Old laptop is disabled.',
    );
    await page.getByText('None of your keys can be used').waitFor();
    expect(await page.getByText('You need a key first').count()).toBe(0);
    await context.close();
  });
}

function testMoney(): void {
  it('is told how to get credit wherever it is missing, and where help is', async () => {
    const { fixture } = stockedConsole();
    const supportUrl = 'https://example.org/help';
    const creditHelp = 'Ask [the scanMemory](mailto:scanMemory@example.org).';
    await fixture.ask('updateSettings', { body: { creditHelp, supportUrl } });
    const user = await fixture.register('no-money@example.org');
    const { page, context } = await fixture.visitor({ as: user });
    await page.goto('/start');
    for (const path of ['/start', '/billing', '/billing/plans']) {
      await goTo(page, path);
      const help = page.getByTestId('credit-help');
      const link = help.getByRole('link', { name: 'the scanMemory' });
      expect(await link.getAttribute('href'), path).toBe('mailto:scanMemory@example.org');
      const more = help.getByRole('link', { name: 'Ask for help' });
      expect(await more.getAttribute('href'), path).toBe(supportUrl);
    }
    await openMenu(page, page.getByTestId('user-menu'));
    expect(await page.getByTestId('help').getAttribute('href')).toBe(supportUrl);
    await fixture.ask('updateSettings', { body: { creditHelp: '', supportUrl: '' } });
    await context.close();
  });
}

const OPERATOR = {
  siteName: 'River House',
  welcome: '## Models by the river\n\nAsk [us](mailto:us@example.org).',
  terms: 'Be **kind** to the river.',
  privacy: 'We keep what the bill needs.',
  announcement: 'Down on *Sunday*, see [status](https://status.example.org).',
  brandColor: '#8a2be2',
  logo: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0Ii8+PC9zdmc+',
};

function testFirstContact(): void {
  it('is told what this is, what it costs and what they agree to before they register', async () => {
    const { fixture } = stockedConsole();
    await fixture.ask('updateSettings', { body: OPERATOR });
    const visitor = await fixture.visitor();
    const { page, context } = visitor;
    await page.goto('/');
    await untilSettled(page);
    await page.getByRole('heading', { name: 'Models by the river' }).waitFor();
    expect(await page.getByTestId('priced-model').count()).toBeGreaterThan(3);
    expect(await page.locator('weir-logo img').getAttribute('src')).toBe(OPERATOR.logo);
    expect(await page.locator('html').getAttribute('data-brand')).toBe('');
    await page.getByTestId('announcement').getByRole('link', { name: 'status' }).waitFor();
    await page.getByTestId('close-announcement').click();
    await page.getByRole('link', { name: 'Terms of service' }).click();
    await page.locator('main strong', { hasText: 'kind' }).waitFor();
    expect(await page.getByTestId('announcement').count()).toBe(0);
    await page.goBack();
    await page.getByTestId('create-account').click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('agreed@example.org');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Please fill this in.').waitFor();
    await page.getByTestId('consent').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await context.close();
    await fixture.ask('updateSettings', {
      body: Object.fromEntries(
        Object.keys(OPERATOR).map((name) => [name, name === 'siteName' ? 'Weir' : '']),
      ),
    });
  });
}

function testQuietVisit(): void {
  it('leaves no error in the browser’s console: that nobody is logged in is none', async () => {
    const { page, context } = await stockedConsole().fixture.visitor();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    for (const path of ['/', '/login', '/models']) {
      await page.goto(path);
      await untilSettled(page);
    }
    expect(errors).toEqual([]);
    await context.close();
  });
}

function testPresets(): void {
  it('begins with the cheapest model, wherever a model is proposed', async () => {
    const { fixture } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stockedConsole().stock.user });
    const { models } = await fixture.ask('getPricing');
    const keys = await fixture.ask('listKeys', { as: stockedConsole().stock.user });
    const groupId = keys.data[0]?.groupId;
    const cheapest = models
      .flatMap(({ publicId, groups }) => {
        const prices = groups.find((group) => group.groupId === groupId)?.prices;
        return prices === undefined
          ? []
          : [{ publicId, usd: Number(prices.inputUsd) + Number(prices.outputUsd) }];
      })
      .toSorted((one, other) => one.usd - other.usd)[0]?.publicId;
    await page.goto('/playground');
    await untilSettled(page);
    const chosen = page.getByRole('combobox', { name: 'Choose a model' });
    await expect.poll(() => chosen.inputValue()).toBe(cheapest);
    await goTo(page, '/start');
    await expect
      .poll(() => page.locator('weir-tool-setups pre').first().textContent())
      .toContain(`"${cheapest ?? ''}"`);
    await context.close();
  });
}

function testSearch(): void {
  it('finds a customer, a key, an order and a request from anywhere, and leads there', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    const [record] = (await fixture.ask('listOwnUsageRecords', { as: stock.user })).data;
    const [keyValue = ''] = stock.secrets;
    await page.goto('/admin/groups');
    await untilSettled(page);
    const look = async (text: string, kind: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('combobox').fill(text);
      const option = palette.getByRole('option').filter({ hasText: kind }).first();
      await option.click();
      await palette.waitFor({ state: 'detached' });
    };
    await look('grace@exam', 'Account');
    await page.waitForURL(`**/admin/accounts/${stock.accountId}`);
    await look(keyValue, 'API key');
    await page.waitForURL('**/admin/accounts/keys/*');
    await page.getByRole('heading', { level: 1, name: 'Laptop' }).waitFor();
    await look(stock.orderId, 'Order');
    await page.waitForURL(`**/admin/orders?account=${stock.accountId}`);
    await look(record?.requestId ?? '', 'Request');
    await page.waitForURL(`**/requests/${record?.requestId ?? ''}`);
    await page
      .locator('main')
      .getByText(record?.requestId ?? '')
      .waitFor();
    await context.close();
  });
}

export function testCustomer(): void {
  let visitor: Visitor;
  beforeAll(async () => {
    const { fixture, stock } = stockedConsole();
    visitor = await fixture.visitor({ as: stock.user });
    await visitor.page.goto('/keys');
    await untilSettled(visitor.page);
  });
  afterAll(async () => {
    stockedConsole().upstream.behave(MODEL, { kind: 'reply' });
    await visitor.context.close();
  });

  testConversation(() => visitor.page);
  testErrors(() => visitor.page);
  testProtocols(() => visitor.page);
  testKeys();
  testMoney();
  testFirstContact();
  testQuietVisit();
  testPresets();
  testSearch();
}
