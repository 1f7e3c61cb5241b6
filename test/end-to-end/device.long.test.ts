import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/clocks/hang.ts';
import { countClicks } from './support/clicks.ts';
import { untilSettled } from './walks/pages.ts';
import { createConsoleFixture, type ConsoleFixture } from './support/console-fixture.ts';

let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

/** Continue, two for the group, Allow. Where there is one group, it is chosen. */
const CLICKS_MAX = 4;

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

interface TokenReply {
  readonly error?: string;
  readonly access_token?: string;
}

async function post<Reply>(path: string, fields: Record<string, string>): Promise<Reply> {
  const reply = await fetch(`${fixture.weir.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return (await reply.json()) as Reply;
}

function begin(): Promise<Codes> {
  return post('/oauth/device_authorization', { surface: 'claude_code', device_name: 'laptop' });
}

function poll({ device_code }: Codes): Promise<TokenReply> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return post('/oauth/token', { grant_type, device_code });
}

describe('a tool that logs in, in the console,', () => {
  it(`is logged in with at most ${String(CLICKS_MAX)} clicks, and out of the list of keys`, async () => {
    const owner = await fixture.register('owner@tools.example');
    const { page, complaints } = await fixture.visitor({ as: owner });
    const codes = await begin();
    await page.goto(codes.verification_uri_complete);
    await untilSettled(page);
    // A link alone decides nothing.
    expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(codes.user_code);
    const clicks = await countClicks(page);
    await page.getByTestId('device-continue').click();
    await page.getByText('Claude Code asks to use models in your name.').waitFor();
    await page.getByText('laptop', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(
      'Claude Code on laptop',
    );
    await page.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option').first().click();
    await page.getByTestId('device-allow').click();
    await page.getByText('The tool is logged in.').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(CLICKS_MAX);
    const { access_token: token = '' } = await poll(codes);
    const ask = (): Promise<Response> =>
      fetch(`${fixture.weir.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);

    await page.getByRole('link', { name: 'Tools that are logged in' }).click();
    await page.getByText('Claude Code on laptop').waitFor();
    await page.getByRole('button', { name: 'More actions for Claude Code on laptop' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await page.getByText('Claude Code on laptop is logged out.').waitFor();
    await until('the token has stopped', async () => (await ask()).status === 401);
    expect(complaints).toEqual([]);
  });

  it('is asked about in Chinese on a phone', async () => {
    const owner = await fixture.register('zh@tools.example');
    const { page } = await fixture.visitor({
      as: owner,
      language: 'zh-CN',
      theme: 'dark',
      size: { width: 390, height: 844 },
    });
    const codes = await begin();
    await page.goto(codes.verification_uri_complete);
    await page.getByTestId('device-continue').click();
    await page.getByTestId('device-allow').waitFor();
  });

  it('is denied; a wrong code is not found', async () => {
    const owner = await fixture.register('denier@tools.example');
    const { page } = await fixture.visitor({ as: owner });
    await page.goto('/device');
    await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB');
    await page.getByTestId('device-continue').click();
    await page.getByText('There is no login with this code.').waitFor();
    const codes = await begin();
    await page.getByRole('textbox', { name: 'Code' }).fill(codes.user_code.toLowerCase());
    await page.getByTestId('device-continue').click();
    await page.getByTestId('device-deny').click();
    await page.getByText('The login was denied.').waitFor();
    expect((await poll(codes)).error).toBe('access_denied');
  });

  it('takes the settings of its account, which must be JSON', async () => {
    const owner = await fixture.register('settings@tools.example');
    const { page } = await fixture.visitor({ as: owner });
    await page.goto('/members/claude-code');
    const json = page.getByRole('textbox', { name: 'managed-settings.json' });
    await json.fill('{"model": ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is no JSON object').waitFor();
    await json.fill('{"model":"sonnet"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('In force: sha256:').waitFor();
    const view = await fixture.ask('getManagedSettings', { as: owner });
    expect(view.settings).toEqual({ model: 'sonnet' });
  });
});
