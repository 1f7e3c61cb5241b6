import { describe, expect, it } from 'vitest';
import { until } from '../../support/clocks/hang.ts';
import { countClicks } from '../support/clicks.ts';
import { goTo, untilSettled } from './pages.ts';
import { BROKEN_MODEL, CUSTOMER_EMAIL, serveWith } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const WORDS = 'CUDA out of memory';
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

/** Tests of the main uses of the log. */
export function testRequests(): void {
  it('leads an operator from a customer’s request id to the upstream’s words in one click', async () => {
    const { fixture, stock } = stockedConsole();
    const requestId = await failOnce();
    const { page, context, complaints } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/overview');
    await untilSettled(page);
    const clicks = await countClicks(page);
    // The palette opens by the keyboard: what is found is pressed.
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill(`Error, request id ${requestId}.`);
    await palette.getByRole('option').filter({ hasText: 'Request' }).first().click();
    await page.getByTestId('upstream-words').getByText(WORDS).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(1);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('upstream_error');
    expect(text).toContain('HTTP 502');
    const waterfall = page.getByTestId('waterfall');
    for (const step of ['Received', 'Hold', 'Settlement']) {
      await waterfall.getByText(step, { exact: true }).waitFor();
    }
    expect(await waterfall.locator('[data-kind="failed"]').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('leads from an alert to the upstream’s words in two clicks', async () => {
    const { fixture, stock } = stockedConsole();
    await fixture.ask('createAlertRule', {
      body: { name: 'Requests fail', kind: 'error_rate', percent: 1, requestsMin: 1 },
    });
    await failOnce();
    await until('the alert', async () => {
      const { data } = await fixture.ask('listAlertRules');
      if (data.some(({ name, firing }) => name === 'Requests fail' && firing.length > 0)) {
        return true;
      }
      await failOnce();
      return false;
    });
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/alerts');
    await untilSettled(page);
    const clicks = await countClicks(page);
    const rule = page.getByTestId('rule').filter({ hasText: 'Requests fail' });
    await rule.getByRole('link', { name: 'All requests' }).click();
    await page
      .getByTestId('row')
      .filter({ hasText: MODEL })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.getByTestId('upstream-words').getByText(WORDS).first().waitFor();
    expect(await clicks()).toBe(2);
    await context.close();
  });
}

/** Tests of other findings of customers and operators in the log. */
export function testRequestsAround(): void {
  it('shows customers their failed request while they look, and nothing of channels', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/requests?outcome=failed');
    await untilSettled(page);
    // It comes into the list by itself.
    const requestId = await failOnce();
    await page.locator(`main a[href="/requests/${requestId}"]`).click();
    await page.getByTestId('bill').waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain(requestId);
    expect(text).toContain('upstream_error');
    expect(text).toContain('Nothing was charged');
    expect(text).not.toContain(WORDS);
    expect(text).not.toContain('What the upstream said');
    expect(await page.locator('main a[href^="/admin"]').count()).toBe(0);
    await context.close();
  });

  it('counts new rows while the list is scrolled or paused, and shows them when asked', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/requests');
    await untilSettled(page);
    await page.getByTestId('pause').click();
    const paused = await failOnce();
    await page.getByTestId('refresh').click();
    await page.locator(`main a[href="/requests/${paused}"]`).waitFor();
    await page.getByTestId('pause').click();
    // Someone who points at a row must not press another one.
    await page.getByTestId('row').nth(1).hover();
    const counted = await failOnce();
    const newer = page.getByTestId('newer');
    await newer.waitFor();
    expect(await newer.textContent()).toMatch(/\d+ new/);
    expect(await page.locator(`main a[href="/requests/${counted}"]`).count()).toBe(0);
    await newer.click();
    await page.locator(`main a[href="/requests/${counted}"]`).waitFor();
    await context.close();
  });

  it('says that there is no request with an id, and finds one that was just sent', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/requests/01a1fd85-7715-7fed-a767-b935f6226f00');
    await page.getByText('No request with this id').waitFor();
    const reply = await serveWith(fixture, stock.key, MODEL);
    const requestId = reply.headers.get('x-request-id') ?? '';
    await reply.text();
    await page.goto(`/requests/${requestId}`);
    await page.getByTestId('record-cost').waitFor();
    await page.getByTestId('waterfall').getByText('Settlement').waitFor();
    await page.getByTestId('alike').getByRole('link', { name: 'Same model' }).click();
    await page.waitForURL('**/requests?model=*');
    await page.locator(`main a[href="/requests/${requestId}"]`).waitFor();
    await context.close();
  });

  it('adds the ready-made alerts by one button, once', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context, complaints } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/alerts');
    await untilSettled(page);
    const before = await page.getByTestId('rule').count();
    await page.getByTestId('ready').getByRole('button').click();
    await page.getByTestId('ready').waitFor({ state: 'detached' });
    expect(await page.getByTestId('rule').count()).toBe(before + 10);
    expect(complaints).toEqual([]);
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

  it('leads from a bill to the request', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/usage');
    await untilSettled(page);
    await page.locator('main .row-link').first().click();
    await page.waitForURL('**/requests/*');
    await page.getByTestId('bill').getByRole('table').waitFor();
    await page.getByText('Protocol').waitFor();
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
      await parts.getByRole('link', { name: MODEL }).first().waitFor();
      await page.getByText('By customer').click();
      await parts.getByRole('link', { name: CUSTOMER_EMAIL }).waitFor();
      await page.getByText('By channel').click();
      const dead = parts.getByTestId('row').filter({ hasText: 'out of order' });
      await dead.getByText('Failing').waitFor();
      await parts.getByRole('button', { name: 'Errors' }).click();
      await expect.poll(() => parts.getByTestId('row').first().textContent()).toContain('out of');
      await page.getByRole('searchbox', { name: 'Find by name' }).fill('OUT OF');
      await expect.poll(() => parts.getByTestId('row').count()).toBe(1);
      await page.getByText('12 months').click();
      await untilSettled(page);
      await page.getByTestId('codes').getByRole('link', { name: 'upstream_error' }).click();
      await page.getByRole('heading', { level: 1, name: 'All requests' }).waitFor();
      await untilSettled(page);
      expect(new URL(page.url()).searchParams.get('code')).toBe('upstream_error');
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
        await route.fulfill({
          json: { step, from, to, points: [], steps: [], totals: [], total: none },
        });
      });
      await page.goto('/admin/operations');
      await goTo(page, '/admin/operations');
      await page.getByText('Nothing in this period.').first().waitFor();
      await page.getByText('No errors in this period.').first().waitFor();
      await context.close();
    });
  });
}
