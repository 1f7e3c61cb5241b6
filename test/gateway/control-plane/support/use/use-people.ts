import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person } from '../fixture.ts';
import { useMembers } from './use-members.ts';
import { logIn, type Walk } from '../walk.ts';

const RESET_PASSWORD = 'a password chosen by mail';
const NEW_PASSWORD = 'an entirely new password';
const MISTYPED_PASSWORD = 'a mistyped password';

/** Registering, by mail, and getting in again. Answers who registered. */
async function register(walk: Walk): Promise<Person> {
  const { fixture, admin, smtp, secrets } = walk;
  const email = 'registered@example.org';
  const body = { emailVerificationRequired: true };
  await fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
  await fixture.ask('register', { body: { email, password: PASSWORD } });
  secrets.set('first link to verify', await smtp.takeToken(email));
  await fixture.ask('requestVerification', { body: { email } });
  const verification = await smtp.takeToken(email);
  secrets.set('link to verify', verification);
  await fixture.ask('verifyEmail', { body: { token: verification } });
  await fixture.ask('requestPasswordReset', { body: { email } });
  const reset = await smtp.takeToken(email);
  secrets.set('link to reset', reset).set('password chosen by mail', RESET_PASSWORD);
  await fixture.ask('resetPassword', { body: { token: reset, password: RESET_PASSWORD } });
  // One that nobody follows stays in the database.
  await fixture.ask('requestPasswordReset', { body: { email } });
  secrets.set('link not followed', await smtp.takeToken(email));
  await fixture.ask('logIn', { body: { email, password: MISTYPED_PASSWORD } });
  secrets.set('mistyped password', MISTYPED_PASSWORD).set('new password', NEW_PASSWORD);
  return logIn(walk, email, RESET_PASSWORD);
}

/** Budgets above those of keys. */
async function useBudgets({ fixture }: Walk, person: Person): Promise<void> {
  await fixture.ask('listBudgets', { as: person });
  const params = { budgetScope: 'account' };
  await fixture.ask('updateBudget', { as: person, params, body: { monthUsd: '100' } });
  await fixture.ask('updateTimeZone', { as: person, body: { timeZone: 'Europe/Berlin' } });
}

async function useSessions(walk: Walk, person: Person): Promise<void> {
  const { fixture } = walk;
  const passwords = { currentPassword: RESET_PASSWORD, newPassword: NEW_PASSWORD };
  await fixture.ask('changePassword', { as: person, body: passwords });
  const elsewhere = await logIn(walk, person.email, NEW_PASSWORD);
  const list = await fixture.ask('listSessions', { as: elsewhere });
  const current = list.reply.data.find((session) => session.current);
  await fixture.ask('revokeSession', { as: person, params: { sessionId: current?.id ?? '' } });
  await fixture.ask('revokeOtherSessions', { as: person });
  await fixture.ask('logOut', { as: await logIn(walk, person.email, NEW_PASSWORD) });
}

async function useSecondFactors(walk: Walk, person: Person): Promise<void> {
  const { fixture, secrets } = walk;
  const password = NEW_PASSWORD;
  const begun = await fixture.ask('beginSecondFactor', { as: person, body: { password } });
  secrets.set('second factor', begun.reply.secret);
  const code = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) }).generate();
  const confirmed = await fixture.ask('confirmSecondFactor', { as: person, body: { code } });
  const [first = '', unused = ''] = confirmed.reply.recoveryCodes;
  secrets.set('used recovery code', first).set('former recovery code', unused);
  const proof = { password, code: first };
  const renewed = await fixture.ask('renewRecoveryCodes', { as: person, body: proof });
  const [second = '', kept = ''] = renewed.reply.recoveryCodes;
  secrets.set('second used recovery code', second).set('recovery code', kept);
  const removal = { password, code: second };
  await fixture.ask('removeSecondFactor', { as: person, body: removal });
  // Another one stays, so that the scan has a seed at rest to look for.
  const again = await fixture.ask('beginSecondFactor', { as: person, body: { password } });
  secrets.set('second second factor', again.reply.secret);
}

async function useAccessTokens(walk: Walk, person: Person): Promise<void> {
  const { fixture, secrets } = walk;
  for (const scope of ['full', 'read'] as const) {
    const made = await fixture.ask('createAccessToken', {
      as: person,
      body: { name: scope, scope },
    });
    const { token, id: accessTokenId } = made.reply;
    secrets.set(`access token (${scope})`, token);
    await fixture.ask('getOwnUser', { as: { token } });
    await fixture.ask('getPresence', { as: { token } });
    await fixture.ask('listAccessTokens', { as: { token } });
    if (scope === 'read') {
      await fixture.ask('deleteAccessToken', { as: person, params: { accessTokenId } });
    }
  }
}

async function manageUsers(walk: Walk, person: Person): Promise<void> {
  const { fixture, admin, smtp, secrets } = walk;
  const params = { userId: person.userId };
  await fixture.ask('updateOwnUser', { as: person, body: { theme: 'dark', language: 'zh-CN' } });
  await fixture.ask('listUsers', { as: admin, query: { search: person.email } });
  await fixture.ask('getUser', { as: admin, params });
  const body = { disabled: false };
  await fixture.ask('updateUser', { as: admin, params, anyVersion: true, body });
  const other = await fixture.user();
  const others = { userId: other.userId };
  await fixture.ask('resetSecondFactor', { as: admin, params: others });
  const email = 'moved@example.org';
  await fixture.ask('changeEmailOfUser', { as: admin, params: others, body: { email } });
  await fixture.ask('resetPasswordOfUser', { as: admin, params: others });
  secrets.set('link of a reset', await smtp.takeToken(email));
  const stranger = await fixture.user();
  await fixture.ask('deleteAccount', { as: admin, params: { accountId: stranger.accountId } });
}

async function manageAccounts(walk: Walk, person: Person): Promise<void> {
  const { fixture, admin, smtp, secrets } = walk;
  const params = { accountId: person.accountId };
  const email = 'welcome@example.org';
  await fixture.ask('createAccount', { as: admin, body: { name: 'Welcome', email } });
  secrets.set('link of a welcome', await smtp.takeToken(email));
  await fixture.ask('getOwnAccount', { as: person });
  const name = { name: 'Renamed' };
  await fixture.ask('updateOwnAccount', { as: person, anyVersion: true, body: name });
  await fixture.ask('listAccounts', { as: admin });
  await fixture.ask('getAccount', { as: admin, params });
  const limit = { concurrencyMax: 100 };
  await fixture.ask('updateAccount', { as: admin, params, anyVersion: true, body: limit });
  const credit = { amountUsd: '30', reason: 'a gift' };
  await fixture.ask('createCredit', { as: admin, params, body: credit });
  await fixture.ask('getAccountOverview', { as: admin, params });
  await fixture.ask('listOwnCredits', { as: person });
  await fixture.ask('listCredits', { as: admin });
}

/** Views of the console's lists. */
async function useSavedViews({ fixture }: Walk, person: Person): Promise<void> {
  const body = { list: 'keys', name: 'Off', query: 'status=disabled' } as const;
  const made = await fixture.ask('createSavedView', { as: person, body });
  const params = { savedViewId: made.reply.id };
  await fixture.ask('updateSavedView', { as: person, params, body: { name: 'Disabled' } });
  await fixture.ask('listSavedViews', { as: person, query: { list: 'keys' } });
  await fixture.ask('deleteSavedView', { as: person, params });
}

/** Everything about who somebody is. */
export async function usePeople(walk: Walk): Promise<void> {
  const person = await register(walk);
  await useBudgets(walk, person);
  await useSessions(walk, person);
  await useSecondFactors(walk, person);
  await useAccessTokens(walk, person);
  await useSavedViews(walk, person);
  await useMembers(walk, await walk.fixture.user(), PASSWORD);
  await manageUsers(walk, person);
  await manageAccounts(walk, person);
}
