import { expect, it } from 'vitest';
import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { PASSWORD } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { noteBreaches } from './safety.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/**
 * The widget of both vendors' scripts: `render` calls back with a token once the check is passed.
 */
const WIDGET = `window.NAME = {
  render(place, { sitekey, callback }) {
    place.textContent = 'Check of ' + sitekey;
    setTimeout(() => callback('token of the widget'));
    return '0';
  },
  reset() {},
};`;

/** The addresses of the vendors' scripts. */
const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/**',
  hcaptcha: 'https://*.hcaptcha.com/**',
};

/** Registering with a check for robots, whose script is the vendor's and here a stand-in. */
export function testRegistering(vendor: keyof typeof SCRIPTS): void {
  it(`loads the widget of ${vendor}, and sends its token`, async () => {
    const { fixture } = stockedConsole();
    const keys = { captchaSiteKey: 'site-key', captchaSecret: 'secret-key' };
    await fixture.ask('updateSettings', { body: { captchaProvider: vendor, ...keys } });
    const visitor = await fixture.visitor();
    const { page, context } = visitor;
    await noteBreaches(visitor);
    await context.route(SCRIPTS[vendor], (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: WIDGET.replace('NAME', vendor),
      }),
    );
    try {
      await page.goto('/register');
      await untilSettled(page);
      await page.getByText('Check of site-key').waitFor();
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(`${vendor}@new.example`);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      const agree = page.getByRole('checkbox');
      if ((await agree.count()) > 0) await agree.check();
      const sent = page.waitForRequest(`**${ADMIN_API_ROOT}/registrations`);
      await page.getByRole('button', { name: 'Create account' }).click();
      expect((await sent).postDataJSON()).toMatchObject({ captchaToken: 'token of the widget' });
      expect(await page.evaluate('window.weirBreaches')).toEqual([]);
    } finally {
      await fixture.ask('updateSettings', { body: { captchaProvider: 'none' } });
      await context.close();
    }
  });
}
