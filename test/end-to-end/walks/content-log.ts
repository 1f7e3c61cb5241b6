import { expect, it } from 'vitest';
import { until } from '../../support/clocks/hang.ts';
import { untilSettled } from './pages.ts';
import { serveWith } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const SPOKEN = 'These words are kept.';

/** The owner of a key keeps its content, reads it, and lets support read it for a while. */
export function testContentLog(): void {
  it('is switched on after a confirmation, shows prompt and reply, and is deleted', async () => {
    const { fixture, stock, upstream } = stockedConsole();
    upstream.behave(MODEL, { kind: 'reply', pieces: [SPOKEN] });
    const { page, context, complaints } = await fixture.visitor({ as: stock.user });
    await page.goto(`/keys/${stock.keyId}`);
    await untilSettled(page);
    const state = page.getByTestId('content-log');
    await state.getByText('Off').waitFor();
    await page.getByTestId('content').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('7 days', { exact: true }).click();
    expect(await dialog.getByTestId('switch-on').isDisabled()).toBe(true);
    await dialog.getByRole('switch', { name: 'Keep everything that is sent' }).click();
    await dialog.getByTestId('switch-on').click();
    await state.getByText('kept for 7 days').waitFor();

    // Gateways learn of it by the change feed.
    let requestId = '';
    const params = (): { requestId: string } => ({ requestId });
    await until('kept content', async () => {
      const reply = await serveWith(fixture, stock.key, MODEL);
      await reply.text();
      requestId = reply.headers.get('x-request-id') ?? '';
      const asked = fixture.ask('getOwnContent', { as: stock.user, params: params() });
      return asked.then(
        () => true,
        () => false,
      );
    });
    await until('the entry', () =>
      fixture.ask('getOwnRequest', { as: stock.user, params: params() }).then(
        () => true,
        () => false,
      ),
    );
    await page.goto(`/requests/${requestId}`);
    await page.getByTestId('show-content').click();
    const content = page.locator('section[data-testid="content"]');
    await content.getByText('Hi.', { exact: true }).waitFor();
    await content.getByText(SPOKEN, { exact: true }).waitFor();

    await page.goto(`/keys/${stock.keyId}`);
    await untilSettled(page);
    await page.getByTestId('content').click();
    await dialog.getByRole('switch', { name: 'Delete what is kept so far' }).click();
    await dialog.getByTestId('switch-off').click();
    await state.getByText('Off').waitFor();
    await page.goto(`/requests/${requestId}`);
    await page.getByTestId('show-content').click();
    await content.getByText('No content of this request is kept for you').waitFor();
    // The browser itself reports replies that are errors.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    upstream.reset();
    await context.close();
  });

  it('is forbidden, and opened for support, on the account page', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context, complaints } = await fixture.visitor({ as: stock.user });
    await page.goto('/account');
    await untilSettled(page);
    const policy = page.getByTestId('content-policy');
    await policy.getByTestId('let-in').click();
    await page.getByTestId('confirm').click();
    await policy.getByText('Support can read them until').waitFor();
    await policy.getByRole('button', { name: 'End now' }).click();
    await policy.getByText('Support cannot read them.').waitFor();
    await policy.getByTestId('forbid').click();
    await page.getByTestId('confirm').click();
    await policy.getByText('No key of this account keeps').waitFor();
    await policy.getByRole('button', { name: 'Allow' }).click();
    await policy.getByText('Members may keep').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}
