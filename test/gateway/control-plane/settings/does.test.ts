import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture({ version: '1.2.3', gatewayUrl: 'https://gateway.test' });
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

function set(body: object, headers: Record<string, string> = { 'if-match': '*' }) {
  return fixture.ask('updateSettings', { as: admin, headers, body });
}

describe('settings', () => {
  it('are changed, kept and shown to anyone as far as they concern anyone', async () => {
    const body = {
      siteName: 'Our Gateway',
      registrationMode: 'invitation',
      topUpMinUsd: '1',
      topUpMaxUsd: '500',
      topUpPresetsUsd: ['5', '12.5'],
      announcement: 'Maintenance on Sunday',
      supportUrl: 'mailto:help@example.org',
      usageRetentionMonths: 24,
    };
    expect((await set(body)).reply).toMatchObject(body);
    expect((await fixture.ask('getSettings', { as: admin })).reply).toMatchObject(body);
    const shown = (await fixture.ask('getPublicSettings')).reply;
    expect(shown).toMatchObject({
      siteName: 'Our Gateway',
      registrationMode: 'invitation',
      topUpPresetsUsd: ['5', '12.5'],
      gatewayUrl: 'https://gateway.test',
      version: '1.2.3',
      cardPayments: false,
      mailConfigured: false,
    });
    expect(shown).not.toHaveProperty('usageRetentionMonths');
  });

  it('have the operator’s words, each for the users who need them', async () => {
    const body = {
      welcome: '# Hello',
      terms: 'Be **kind**.',
      privacy: ' ',
      creditHelp: 'Ask [us](mailto:us@example.org).',
      logo: 'data:image/png;base64,iVBORw0KGgo=',
      brandColor: '#8a2be2',
      defaultModel: 'vendor/model-1',
    };
    expect((await set(body)).reply).toMatchObject(body);
    const { creditHelp, logo, brandColor, defaultModel } = body;
    const shown = (await fixture.ask('getPublicSettings')).reply;
    expect(shown).toMatchObject({ creditHelp, logo, brandColor, defaultModel });
    expect([shown.hasTerms, shown.hasPrivacy]).toEqual([true, false]);
    expect(shown).not.toHaveProperty('terms');
    for (const name of ['welcome', 'terms'] as const) {
      const { reply } = await fixture.ask('getSiteText', { query: { name } });
      expect(reply.markdown).toBe(body[name]);
    }
    const log = await fixture.ask('listAuditEntries', { as: admin, query: { limit: 1 } });
    expect(log.text).toContain('Be **kind**.');
    expect(log.text).not.toContain(logo);
    await set({ welcome: '', terms: '', privacy: '', logo: '', brandColor: '', defaultModel: '' });
  });

  it('leave what they were and became in the audit log', async () => {
    await set({ siteName: 'Before' });
    await set({ siteName: 'After' });
    const query = { action: 'updateSettings' };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data[0]).toMatchObject({
      before: { siteName: 'Before' },
      after: { siteName: 'After' },
    });
  });
});

describe('settings are refused', () => {
  it.each([
    [{ siteName: '' }],
    [{ siteName: 'x'.repeat(61) }],
    [{ registrationMode: 'sometimes' }],
    [{ registrationCreditUsd: '-1' }],
    [{ topUpMinUsd: '0' }],
    [{ topUpMinUsd: '501' }],
    [{ topUpMaxUsd: '99999999' }],
    [{ topUpPresetsUsd: ['1', 'two'] }],
    [{ supportUrl: 'javascript:alert(1)' }],
    [{ usageRetentionMonths: 0 }],
    [{ logo: 'https://example.org/logo.png' }],
    [{ logo: 'data:text/html;base64,AAAA' }],
    [{ logo: `data:image/png;base64,${'A'.repeat(64_000)}` }],
    [{ brandColor: 'red' }],
    [{ defaultModel: 'two words' }],
    [{ unknown: 1 }],
  ])('with %j', async (body) => {
    const before = (await fixture.ask('getSettings', { as: admin })).reply;
    expect((await set(body)).status).toBe(400);
    expect((await fixture.ask('getSettings', { as: admin })).reply).toEqual(before);
  });

  it('over a change that was made meanwhile', async () => {
    const seen = await fixture.ask('getSettings', { as: admin });
    await set({ announcement: 'something new' });
    const late = await set({ announcement: '' }, { 'if-match': String(seen.headers['etag']) });
    expect(late.problem.code).toBe('precondition_failed');
  });
});
