import type { Locator, Page } from 'playwright-core';
import type { Stock } from '../support/stock.ts';

/**
 * The control that opens a dialog: one of the page, or an entry of the menu of the first row that
 * has one.
 */
export type Opener = { readonly press: string } | { readonly menuEntry: number };

/** A page of the console as the route files of console/src name it. */
export interface ConsolePage {
  /** The route, with its parameters named. */
  readonly route: string;
  readonly reader: 'nobody' | 'user' | 'admin';
  /** The reader that the router asks for, where `reader` sees more of the page than they do. */
  readonly guard?: 'user';
  readonly opens?: readonly Opener[];
}

/** The least that a reader needs to be let in. */
export function guardOf({ reader, guard }: ConsolePage): ConsolePage['reader'] {
  return guard ?? reader;
}

const PRIMARY: Opener = {
  press:
    'main [pageaction]:is(button), main [pageaction] button.mdc-button--unelevated, main [pageaction] button.mat-mdc-unelevated-button',
};
const SEVERAL: Opener = { press: '[data-testid="create-several"]' };
const FIRST_ROW: Opener = { press: 'main .row-link' };

/** Every page, and the dialogs of each. That none is missing is tested. */
export const PAGES: readonly ConsolePage[] = [
  { route: '/', reader: 'nobody' },
  { route: '/terms', reader: 'nobody' },
  { route: '/privacy', reader: 'nobody' },
  { route: '/login', reader: 'nobody' },
  { route: '/register', reader: 'nobody' },
  { route: '/forgot-password', reader: 'nobody' },
  { route: '/reset-password', reader: 'nobody' },
  { route: '/verify-email', reader: 'nobody' },
  { route: '/join', reader: 'nobody' },
  { route: '/sign-on/:slug/callback', reader: 'nobody' },
  { route: '/models', reader: 'nobody' },
  {
    route: '/start',
    reader: 'user',
    opens: [{ press: '[data-testid="redeem"]' }, { press: '[data-testid="create-key"]' }],
  },
  { route: '/dashboard', reader: 'user' },
  {
    route: '/keys',
    reader: 'user',
    opens: [
      PRIMARY,
      SEVERAL,
      { menuEntry: 0 },
      { menuEntry: 2 },
      { menuEntry: 5 },
      { menuEntry: 6 },
      { menuEntry: 8 },
    ],
  },
  { route: '/keys/:keyId', reader: 'user' },
  { route: '/requests', reader: 'user' },
  { route: '/requests/:requestId', reader: 'admin', guard: 'user' },
  { route: '/billing', reader: 'user' },
  {
    route: '/billing/plans',
    reader: 'user',
    opens: [{ press: '[data-testid="plan"] button' }, { press: '[data-testid="renewal"]' }],
  },
  { route: '/billing/orders', reader: 'user' },
  { route: '/billing/orders/:orderId', reader: 'user' },
  { route: '/billing/invoices', reader: 'user' },
  { route: '/billing/statements', reader: 'user' },
  { route: '/billing/statements/:month', reader: 'user' },
  { route: '/device', reader: 'user' },
  { route: '/playground', reader: 'user' },
  { route: '/members', reader: 'user', opens: [PRIMARY] },
  { route: '/members/teams', reader: 'user', opens: [PRIMARY] },
  { route: '/members/budgets', reader: 'user', opens: [] },
  { route: '/members/claude-code', reader: 'user' },
  { route: '/members/invitations', reader: 'user', opens: [PRIMARY] },
  { route: '/members/audit', reader: 'user' },
  { route: '/account', reader: 'user' },
  {
    route: '/account/security',
    reader: 'user',
    opens: [{ press: '[data-testid="second-factor"]' }],
  },
  { route: '/account/accounts', reader: 'user', opens: [PRIMARY] },
  { route: '/account/notices', reader: 'user' },
  { route: '/account/tokens', reader: 'user', opens: [PRIMARY] },
  { route: '/admin/overview', reader: 'admin' },
  { route: '/admin/operations', reader: 'admin' },
  { route: '/admin/requests', reader: 'admin' },
  { route: '/admin/accounts', reader: 'admin', opens: [PRIMARY] },
  { route: '/admin/accounts/users', reader: 'admin' },
  { route: '/admin/accounts/keys', reader: 'admin', opens: [SEVERAL] },
  { route: '/admin/accounts/keys/:keyId', reader: 'admin' },
  {
    route: '/admin/accounts/:accountId',
    reader: 'admin',
    opens: [
      ...[0, 1, 2].map((index) => ({
        press: `main [objectaction] button >> nth=${String(index)}`,
      })),
      { press: '[data-testid="add-price"]' },
    ],
  },
  { route: '/admin/accounts/:accountId/statements/:month', reader: 'admin' },
  {
    route: '/admin/groups',
    reader: 'admin',
    opens: [PRIMARY, { menuEntry: 0 }, { menuEntry: 1 }],
  },
  {
    route: '/admin/groups/:groupId',
    reader: 'admin',
    opens: [{ press: '[data-testid="give-group"]' }, { menuEntry: 0 }, { menuEntry: 1 }],
  },
  {
    route: '/admin/models',
    reader: 'admin',
    opens: [
      { press: '[data-testid="import"]' },
      { press: '[data-testid="create"]' },
      { menuEntry: 0 },
      { menuEntry: 1 },
      { menuEntry: 2 },
    ],
  },
  { route: '/admin/models/:modelId', reader: 'admin' },
  { route: '/admin/channels', reader: 'admin' },
  { route: '/admin/channels/new', reader: 'admin' },
  {
    route: '/admin/channels/:channelId',
    reader: 'admin',
    opens: [{ press: 'main section.card.split button' }],
  },
  { route: '/admin/plans', reader: 'admin', opens: [PRIMARY, FIRST_ROW, { menuEntry: 1 }] },
  {
    route: '/admin/plans/subscriptions',
    reader: 'admin',
    opens: [PRIMARY, { menuEntry: 0 }, { menuEntry: 1 }],
  },
  { route: '/admin/codes', reader: 'admin', opens: [PRIMARY, { menuEntry: 1 }] },
  { route: '/admin/codes/invitations', reader: 'admin', opens: [PRIMARY] },
  { route: '/admin/codes/:batchId', reader: 'admin' },
  { route: '/admin/orders', reader: 'admin', opens: [{ menuEntry: 1 }] },
  { route: '/admin/orders/credits', reader: 'admin' },
  { route: '/admin/orders/invoices', reader: 'admin' },
  { route: '/admin/margin', reader: 'admin' },
  { route: '/admin/accounting', reader: 'admin' },
  { route: '/admin/accounting/settings', reader: 'admin' },
  {
    route: '/admin/alerts',
    reader: 'admin',
    opens: [PRIMARY, FIRST_ROW, { menuEntry: 2 }],
  },
  { route: '/admin/alerts/targets', reader: 'admin', opens: [PRIMARY, FIRST_ROW] },
  { route: '/admin/alerts/log', reader: 'admin', opens: [FIRST_ROW] },
  {
    route: '/admin/sign-on',
    reader: 'admin',
    opens: [PRIMARY, { menuEntry: 0 }, { menuEntry: 1 }],
  },
  { route: '/admin/system', reader: 'admin' },
  { route: '/admin/audit', reader: 'admin', opens: [FIRST_ROW] },
  { route: '/admin/settings', reader: 'admin' },
  { route: '/no-such-page', reader: 'nobody' },
];

/** The address of a page in a stocked installation. */
export function addressOf({ route }: ConsolePage, stock: Stock): string {
  const params = new Map(Object.entries<unknown>({ ...stock }));
  return route.replace(/:(\w+)/g, (_match, name: string) => String(params.get(name)));
}

/**
 * The body of a page that waits for nothing. A page is in the document a moment before it has its
 * texts and skeletons.
 */
export const SETTLED_BODY =
  'body:has(main h1:not([data-left], :empty)):not(:has(weir-skeleton, [aria-busy="true"]))';
/** The content of a table that has its list: rows, or words in their place. */
export const TABLE_CONTENT = '[data-testid="row"], .bare, weir-failure-note';

/** Resolves when a page has all that it asked for. */
export async function untilSettled(page: Page): Promise<void> {
  await page.locator(SETTLED_BODY).waitFor({ state: 'attached' });
  // The rows of a table come a frame after its list has them: a count in between found
  // none.
  await page
    .locator('weir-data-table')
    .filter({ hasNot: page.locator(TABLE_CONTENT) })
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Leaves for another page without reloading the console, as a link leads there. */
export async function begin(page: Page, address: string): Promise<void> {
  await page.evaluate(`
    // The page that is left must not be taken for the one that comes; where the user is already,
    // none comes.
    if (location.pathname + location.search !== ${JSON.stringify(address)})
      document.querySelector('main h1')?.setAttribute('data-left', '');
    history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate'));`);
}

/** To another page, which has all that it asked for then. */
export async function goTo(page: Page, address: string): Promise<void> {
  await begin(page, address);
  await untilSettled(page);
}

/** Opens a dialog and waits until it has what it shows. */
export async function open(page: Page, opener: Opener): Promise<void> {
  if ('press' in opener) await page.locator(opener.press).first().click();
  else {
    await page.locator('main .row-button').first().click();
    await page.locator('.mat-mdc-menu-item').nth(opener.menuEntry).click();
  }
  await page.locator('mat-dialog-container').waitFor();
  await untilSettled(page);
}

/** Opens the command palette as its button does; it is loaded when first wanted. */
export async function openPalette(page: Page): Promise<void> {
  await page.getByTestId('palette').click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
}

export async function openMenu(page: Page, trigger: Locator): Promise<void> {
  await trigger.click();
  await page.getByRole('menu').waitFor();
}

/**
 * Closes a menu and those below it. They fade out, and are no part of the page that is looked at
 * next.
 */
export async function closeMenus(page: Page): Promise<void> {
  const menus = page.getByRole('menu');
  for (let open = await menus.count(); open > 0; open = await menus.count()) {
    // To the one that is on top: a key pressed while another takes the focus is lost.
    await menus.last().press('Escape');
    await menus.nth(open - 1).waitFor({ state: 'detached' });
  }
}

/** Closes the dialog on top by the button that does nothing else. */
export async function giveUp(page: Page): Promise<void> {
  const dialog = page.locator('mat-dialog-container').last();
  await dialog.getByRole('button', { name: /^(Cancel|Close)$/ }).click();
  await page.locator('mat-dialog-container').waitFor({ state: 'detached' });
}

/** Closes the dialog on top with the keyboard. */
export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('mat-dialog-container').waitFor({ state: 'detached' });
}
