import { describe, expect, it } from 'vitest';
import { until } from '../support/hang.ts';
import { countClicks } from './clicks.ts';
import { goTo, untilSettled } from './pages.ts';
import { BROKEN_MODEL, CUSTOMER_EMAIL, serveWith } from './stock.ts';
import { stockedConsole } from './stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const WORDS = 'CUDA out of memory';
/** More would be too many when a customer is on the telephone. */
const CLICKS_MAX = 3;

/**
 * A request of the customer that fails at its upstream; resolves with its id once the log has it.
 */
async function failOnce(): Promise<string> {
  const { fixture, stock, upstream } = stockedConsole();
  upstream.behave(MODEL, { kind: 'status', status: 502, body: { error: { message: WORDS } } });
  try {
    const reply = await serveWith(fixture, stock.key, MODEL);
    expect(reply.status).toBe(502);
    const requestId = reply.headers.get('x-request-id') ?? '';
    await until('the entry', async () => {
      const { data } = await fixture.ask('listRequests', { query: { outcome: 'failed' } });
      return data.some((request) => request.requestId === requestId);
    });
    return requestId;
  } finally {
    upstream.reset();
    // The channel serves again.
    await (await serveWith(fixture, stock.key, MODEL)).text();
  }
}

/** What the log is for. */
export function testRequests(): void {
  it('leads an operator from a customer’s request id to the upstream’s words in three clicks', async () => {
    const { fixture, stock } = stockedConsole();
    const requestId = await failOnce();
    const { page, context, complaints } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/overview');
    await untilSettled(page);
    const clicks = await countClicks(page);
    await page.getByRole('navigation').getByRole('link', { name: 'All requests' }).click();
    const search = page.getByRole('searchbox', { name: 'Find by request id' });
    await search.click();
    await search.fill(requestId);
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('upstream-words').getByText(WORDS).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(CLICKS_MAX);
    expect(await dialog.textContent()).toContain('upstream_error');
    expect(await dialog.textContent()).toContain('HTTP 502');
    expect(complaints).toEqual([]);
    await context.close();
  });
}

/** What else customers and operators find in the log. */
export function testRequestsAround(): void {
  it('shows customers their failed request, and nothing of channels and upstreams', async () => {
    const { fixture, stock } = stockedConsole();
    const requestId = await failOnce();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/requests');
    await untilSettled(page);
    await page.getByText('Failed', { exact: true }).click();
    await page.locator('main .row-link').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(requestId).waitFor();
    const text = (await dialog.textContent()) ?? '';
    expect(text).toContain('upstream_error');
    expect(text).toContain('Nothing was charged');
    expect(text).not.toContain(WORDS);
    expect(text).not.toContain('Attempts at upstreams');
    await context.close();
  });

  it('narrows the list to what fails at a channel, for an account or with a code', async () => {
    const { fixture, stock } = stockedConsole();
    await failOnce();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto(`/admin/requests?account=${stock.accountId}&code=upstream_error`);
    await untilSettled(page);
    const rows = page.getByTestId('row');
    expect(await rows.count()).toBeGreaterThan(0);
    expect(await rows.filter({ hasText: 'upstream_error' }).count()).toBe(await rows.count());
    await expect.poll(() => page.getByTestId('account-filter').inputValue()).toBe(CUSTOMER_EMAIL);
    await page.getByRole('combobox', { name: 'All channels' }).selectOption('out of order');
    await expect.poll(() => rows.filter({ hasText: MODEL }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('channel')).not.toBeNull();
    await rows.filter({ hasText: BROKEN_MODEL }).first().waitFor();
    await context.close();
  });

  it('leads from a bill to the request in the log', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/usage');
    await untilSettled(page);
    await page.locator('main .row-link').first().click();
    const bill = page.getByRole('dialog', { name: 'Usage record' });
    const requestId = await bill.locator('.id code').textContent();
    await bill.getByRole('link', { name: 'Show in requests' }).click();
    await page.waitForURL('**/requests?*');
    const entry = page.getByRole('dialog', { name: 'Request', exact: true });
    await entry.getByText(requestId ?? '').waitFor();
    await entry.getByText('Protocol').waitFor();
    await context.close();
  });

  describe('operations', () => {
    it('show what was asked and what failed, and lead to the requests behind a code', async () => {
      const { fixture, stock } = stockedConsole();
      await failOnce();
      const { page, context, complaints } = await fixture.visitor({ as: stock.admin });
      await page.goto('/admin/operations');
      await untilSettled(page);
      const parts = page.getByTestId('parts');
      await parts.getByRole('rowheader', { name: MODEL }).waitFor();
      await page.getByText('By customer').click();
      await parts.getByRole('link', { name: CUSTOMER_EMAIL }).waitFor();
      await page.getByText('By channel').click();
      await parts.getByRole('link', { name: 'out of order' }).waitFor();
      await page.getByText('12 months').click();
      await untilSettled(page);
      await page.getByTestId('codes').getByRole('link', { name: 'upstream_error' }).click();
      await page.getByRole('heading', { level: 1, name: 'All requests' }).waitFor();
      await untilSettled(page);
      expect(
        await page.getByTestId('row').filter({ hasText: 'upstream_error' }).count(),
      ).toBeGreaterThan(0);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('are there before the first request', async () => {
      const { fixture, stock } = stockedConsole();
      const { page, context } = await fixture.visitor({ as: stock.admin });
      await page.route(/\/api\/v1\/admin\/traffic/, async (route) => {
        const reply = await route.fetch();
        const { step, from, to, total } = (await reply.json()) as Record<string, unknown>;
        const none = Object.fromEntries(
          Object.entries(total as object).map(([name, value]: [string, unknown]) => [
            name,
            typeof value === 'number' ? 0 : name === 'costUsd' ? '0' : value,
          ]),
        );
        await route.fulfill({ json: { step, from, to, points: [], totals: [], total: none } });
      });
      await page.goto('/admin/operations');
      await goTo(page, '/admin/operations');
      await page.getByText('Nothing in this period.').first().waitFor();
      await page.getByText('No errors in this period.').first().waitFor();
      await context.close();
    });
  });
}
