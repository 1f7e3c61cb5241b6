import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { countClicks } from '../support/clicks.ts';
import { PASSWORD, type Caller } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** Clicks of the inviter and the invited person together, until the first reply. */
const CLICKS_MAX = 8;
const MODEL = 'gpt-6.2-sol';

interface Company {
  readonly owner: Caller;
  readonly accountId: string;
  readonly groupId: string;
}

/** An account with money, in which its owner's session acts. */
async function openCompany(name: string): Promise<Company> {
  const { fixture } = stockedConsole();
  const owner = await fixture.register(`owner@${name.toLowerCase()}.example`);
  const { accountId } = await fixture.ask('createOwnAccount', { as: owner, body: { name } });
  const body = { amountUsd: '5', reason: 'a gift' };
  await fixture.ask('createCredit', { params: { accountId }, body });
  const { data: groups } = await fixture.ask('listGroups', { as: owner });
  return { owner, accountId, groupId: groups.find((group) => group.name === 'general')?.id ?? '' };
}

/** Makes a link, as there is no mail. */
async function invite(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByTestId('invite').click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = (await dialog.getByTestId('secret').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I saved it' }).click();
  return link.trim();
}

async function joinAsNewcomer(page: Page, link: string): Promise<void> {
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('new@members.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create login and join' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
}

/** Notes each frame in which the bar names one account and the page shows a key of another. */
async function noteMixedFrames(page: Page): Promise<void> {
  await page.addInitScript(`
    sessionStorage.mixed ??= '0';
    const look = () => {
      const bar = document.querySelector('[data-testid=account-switch]')?.textContent ?? '';
      const main = document.querySelector('main')?.textContent ?? '';
      const [ours, theirs] = ['key of the river', 'key of the owner'];
      const wrong = bar.includes('River') ? theirs : ours;
      if (bar !== '' && main.includes(wrong)) sessionStorage.mixed = '1';
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);`);
}

/** People of an account, in the console. */
export function testMembers(): void {
  it(`lets a new member in and send a request with at most ${CLICKS_MAX} clicks`, async () => {
    const { fixture, upstream } = stockedConsole();
    upstream.behave(MODEL, { kind: 'reply' });
    const { owner } = await openCompany('Lake');
    const inviter = await fixture.visitor({ as: owner });
    await inviter.page.goto('/dashboard');
    await untilSettled(inviter.page);
    const clicksToInvite = await countClicks(inviter.page);
    const link = await invite(inviter.page);
    const guest = await fixture.visitor();
    const { page } = guest;
    await joinAsNewcomer(page, link);
    // The page was loaded again after the one click on its button.
    const clicksToJoin = 1;
    const clicksToReply = await countClicks(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await dialog.getByRole('combobox', { name: 'Model group' }).press('Enter');
    await page.getByRole('option', { name: /^general/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByTestId('finish').click();
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByTestId('draft').fill('Hello');
    await page.getByTestId('draft').press('Enter');
    await page.getByTestId('assistant').first().waitFor();
    const clicks = (await clicksToInvite()) + clicksToJoin + (await clicksToReply());
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect([...inviter.complaints, ...guest.complaints]).toEqual([]);
    await inviter.context.close();
    await guest.context.close();
  });

  it('never shows anything of one account under the name of another', async () => {
    const { fixture } = stockedConsole();
    const { owner, accountId, groupId } = await openCompany('River');
    const make = (name: string) => fixture.ask('createKey', { as: owner, body: { name, groupId } });
    await make('key of the river');
    const { data } = await fixture.ask('listMemberships', { as: owner });
    const own = data.find(({ personal }) => personal)?.accountId ?? '';
    await fixture.ask('switchAccount', { as: owner, body: { accountId: own } });
    await make('key of the owner');
    const { page, context, complaints } = await fixture.visitor({ as: owner });
    await noteMixedFrames(page);
    await page.goto('/keys');
    await page.getByText('key of the owner').waitFor();
    const other = await context.newPage();
    await other.goto('/keys');
    await other.getByText('key of the owner').waitFor();
    // A reply of the former account is held back until the next one is shown.
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/v1/keys?**', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response }).catch(() => undefined);
    });
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('key');
    await page.getByTestId('account-switch').click();
    await page.getByRole('menuitemradio', { name: /^River/ }).click();
    await page.waitForURL('**/dashboard');
    letGo();
    await page.goto('/keys');
    await page.getByText('key of the river').waitFor();
    expect(await page.evaluate('sessionStorage.mixed')).toBe('0');
    // The other tab is loaded again for the account that was chosen.
    await other.bringToFront();
    await other.getByText('key of the river').waitFor();
    expect(await other.getByText('key of the owner').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect((await fixture.ask('getOwnAccount', { as: owner })).id).toBe(accountId);
    await context.close();
  });

  it('hides from a member what their role does not open', async () => {
    const { fixture } = stockedConsole();
    const { owner } = await openCompany('Pond');
    const invited = await fixture.ask('inviteMember', { as: owner, body: { role: 'member' } });
    const as = await fixture.register('member@pond.example');
    const token = invited.link?.split('#token=')[1] ?? '';
    await fixture.ask('acceptMemberInvitation', { as, body: { token } });
    const { page, context, complaints } = await fixture.visitor({ as });
    await page.goto('/dashboard');
    await untilSettled(page);
    const names = await page.locator('weir-side-nav a').allTextContents();
    const shown = names.map((name) => name.trim());
    expect(shown).toContain('API keys');
    for (const hidden of ['Members', 'Billing']) expect(shown).not.toContain(hidden);
    expect(await page.locator('weir-side-nav .balance').count()).toBe(0);
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}
