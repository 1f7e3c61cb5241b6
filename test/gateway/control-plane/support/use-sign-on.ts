import { Secret, TOTP } from 'otpauth';
import { startForgedProvider } from '../../../support/identity/forged-provider.ts';
import { CLIENT_SECRET } from '../../../support/identity/identity-provider.ts';
import { PASSWORD, sessionCookie, type Person } from './fixture.ts';
import { addProvider, SignOnBrowser } from './sign-on.ts';
import type { Walk } from './walk.ts';

const SLUG = 'company';

/** Enrols a second factor. Returns a code of the next step. */
async function enrol({ fixture, secrets }: Walk, person: Person): Promise<string> {
  const body = { password: PASSWORD };
  const { reply } = await fixture.ask('beginSecondFactor', { as: person, body });
  secrets.set('second factor of a person who signs on', reply.secret);
  const totp = new TOTP({ secret: Secret.fromBase32(reply.secret) });
  await fixture.ask('confirmSecondFactor', { as: person, body: { code: totp.generate() } });
  return totp.generate({ timestamp: Date.now() + 30_000 });
}

/** An operator connects the provider's directory, and ends it. */
async function useDirectory(
  { fixture, admin, secrets }: Walk,
  params: { readonly signOnProviderId: string },
): Promise<void> {
  const { reply } = await fixture.ask('createDirectoryToken', { as: admin, params });
  secrets.set('token of a directory', reply.token);
  await fixture.ask('getDirectory', { as: admin, params });
  const token = { ...params, directoryTokenId: reply.id };
  await fixture.ask('deleteDirectoryToken', { as: admin, params: token });
  await fixture.ask('deleteDirectory', { as: admin, params });
}

/** An operator adds an identity provider; a person signs on, links and unlinks an identity. */
export async function useSignOn(walk: Walk): Promise<void> {
  const { fixture, admin, secrets } = walk;
  const provider = await startForgedProvider();
  secrets.set('secret of the client', CLIENT_SECRET);
  const made = await addProvider(fixture, admin, { slug: SLUG, issuer: provider.issuer });
  const params = { signOnProviderId: made.id };
  await fixture.ask('listSignOnProviders', { as: admin });
  await fixture.ask('getSignOnProvider', { as: admin, params });
  await fixture.ask('listTeamsOfAccount', { as: admin, params: { accountId: admin.accountId } });
  await fixture.ask('testSignOnProvider', { as: admin, params });
  await fixture.ask('listSignOnChoices');
  await fixture.ask('lookUpSignOn', { body: { email: 'someone@company.example' } });
  const person = await fixture.user();
  const browser = new SignOnBrowser(fixture);
  const claims = { sub: 'someone', sid: 'session' };
  const linking = await browser.beginLink(person, SLUG);
  secrets.set('state of a link', linking.searchParams.get('state') ?? '');
  await browser.finish(SLUG, provider.reply(linking, { claims }));
  const code = await enrol(walk, person);
  const visitor = new SignOnBrowser(fixture);
  const authorization = await visitor.begin({ provider: SLUG });
  const state = authorization.searchParams.get('state') ?? '';
  secrets.set('state of a sign-on', state);
  secrets.set('secret of the browser', visitor.cookie.split('=')[1] ?? '');
  await visitor.finish(SLUG, provider.reply(authorization, { claims }));
  const headers = { cookie: visitor.cookie };
  const proven = await fixture.ask('proveSignOn', { body: { state, code }, headers });
  const session = sessionCookie(proven.headers['set-cookie']);
  secrets.set('session of a sign-on', session.split('=')[1] ?? '');
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = { claims: { sub: 'someone', jti: 'token', events }, header: { typ: 'logout+jwt' } };
  const body = { logout_token: await provider.sign(token) };
  await fixture.ask('receiveLogoutToken', { params: { signOnSlug: SLUG }, body });
  const { data } = (await fixture.ask('listIdentities', { as: person })).reply;
  const identityId = data[0]?.id ?? '';
  await fixture.ask('unlinkIdentity', { as: person, params: { identityId } });
  await fixture.ask('updateSignOnProvider', {
    as: admin,
    anyVersion: true,
    params,
    body: { status: 'disabled' },
  });
  await useDirectory(walk, params);
  await fixture.ask('deleteSignOnProvider', { as: admin, params });
  await provider.close();
}
