import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person } from './ground.ts';
import { logIn, type Walk } from './walk.ts';

const RESET_PASSWORD = 'a password chosen by mail';
const NEW_PASSWORD = 'an entirely new password';
const MISTYPED_PASSWORD = 'a mistyped password';

/** Registering, by mail, and getting in again. Answers who registered. */
async function register(walk: Walk): Promise<Person> {
  const { ground, admin, smtp, secrets } = walk;
  const email = 'registered@example.org';
  const body = { emailVerificationRequired: true };
  await ground.ask('updateSettings', { as: admin, anyVersion: true, body });
  await ground.ask('register', { body: { email, password: PASSWORD } });
  secrets.set('first link to verify', await smtp.takeToken(email));
  await ground.ask('requestVerification', { body: { email } });
  const verification = await smtp.takeToken(email);
  secrets.set('link to verify', verification);
  await ground.ask('verifyEmail', { body: { token: verification } });
  await ground.ask('requestPasswordReset', { body: { email } });
  const reset = await smtp.takeToken(email);
  secrets.set('link to reset', reset).set('password chosen by mail', RESET_PASSWORD);
  await ground.ask('resetPassword', { body: { token: reset, password: RESET_PASSWORD } });
  // One that nobody follows stays in the database.
  await ground.ask('requestPasswordReset', { body: { email } });
  secrets.set('link not followed', await smtp.takeToken(email));
  await ground.ask('logIn', { body: { email, password: MISTYPED_PASSWORD } });
  secrets.set('mistyped password', MISTYPED_PASSWORD).set('new password', NEW_PASSWORD);
  return logIn(walk, email, RESET_PASSWORD);
}

async function useSessions(walk: Walk, person: Person): Promise<void> {
  const { ground } = walk;
  const passwords = { currentPassword: RESET_PASSWORD, newPassword: NEW_PASSWORD };
  await ground.ask('changePassword', { as: person, body: passwords });
  const elsewhere = await logIn(walk, person.email, NEW_PASSWORD);
  const list = await ground.ask('listSessions', { as: elsewhere });
  const current = list.reply.data.find((session) => session.current);
  await ground.ask('revokeSession', { as: person, params: { sessionId: current?.id ?? '' } });
  await ground.ask('revokeOtherSessions', { as: person });
  await ground.ask('logOut', { as: await logIn(walk, person.email, NEW_PASSWORD) });
}

async function useSecondFactors(walk: Walk, person: Person): Promise<void> {
  const { ground, secrets } = walk;
  const password = NEW_PASSWORD;
  const begun = await ground.ask('beginSecondFactor', { as: person, body: { password } });
  secrets.set('second factor', begun.reply.secret);
  const code = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) }).generate();
  const confirmed = await ground.ask('confirmSecondFactor', { as: person, body: { code } });
  const [first = '', unused = ''] = confirmed.reply.recoveryCodes;
  secrets.set('used recovery code', first).set('former recovery code', unused);
  const proof = { password, code: first };
  const renewed = await ground.ask('renewRecoveryCodes', { as: person, body: proof });
  const [second = '', kept = ''] = renewed.reply.recoveryCodes;
  secrets.set('second used recovery code', second).set('recovery code', kept);
  const removal = { password, code: second };
  await ground.ask('removeSecondFactor', { as: person, body: removal });
  // Another one stays, so that the scan has a seed at rest to look for.
  const again = await ground.ask('beginSecondFactor', { as: person, body: { password } });
  secrets.set('second second factor', again.reply.secret);
}

async function useAccessTokens(walk: Walk, person: Person): Promise<void> {
  const { ground, secrets } = walk;
  for (const scope of ['full', 'read'] as const) {
    const made = await ground.ask('createAccessToken', {
      as: person,
      body: { name: scope, scope },
    });
    const { token, id: accessTokenId } = made.reply;
    secrets.set(`access token (${scope})`, token);
    await ground.ask('getOwnUser', { as: { token } });
    await ground.ask('getPresence', { as: { token } });
    await ground.ask('listAccessTokens', { as: { token } });
    if (scope === 'read') {
      await ground.ask('deleteAccessToken', { as: person, params: { accessTokenId } });
    }
  }
}

async function manageUsers(walk: Walk, person: Person): Promise<void> {
  const { ground, admin, smtp, secrets } = walk;
  const params = { userId: person.userId };
  await ground.ask('updateOwnUser', { as: person, body: { theme: 'dark', language: 'zh-CN' } });
  await ground.ask('listUsers', { as: admin, query: { search: person.email } });
  await ground.ask('getUser', { as: admin, params });
  const body = { disabled: false };
  await ground.ask('updateUser', { as: admin, params, anyVersion: true, body });
  const other = await ground.user();
  const others = { userId: other.userId };
  await ground.ask('resetSecondFactor', { as: admin, params: others });
  const email = 'moved@example.org';
  await ground.ask('changeEmailOfUser', { as: admin, params: others, body: { email } });
  await ground.ask('resetPasswordOfUser', { as: admin, params: others });
  secrets.set('link of a reset', await smtp.takeToken(email));
  const stranger = await ground.user();
  await ground.ask('deleteAccount', { as: admin, params: { accountId: stranger.accountId } });
}

async function manageAccounts(walk: Walk, person: Person): Promise<void> {
  const { ground, admin, smtp, secrets } = walk;
  const params = { accountId: person.accountId };
  const email = 'welcome@example.org';
  await ground.ask('createAccount', { as: admin, body: { name: 'Welcome', email } });
  secrets.set('link of a welcome', await smtp.takeToken(email));
  await ground.ask('getOwnAccount', { as: person });
  const name = { name: 'Renamed' };
  await ground.ask('updateOwnAccount', { as: person, anyVersion: true, body: name });
  await ground.ask('listAccounts', { as: admin });
  await ground.ask('getAccount', { as: admin, params });
  const limit = { concurrencyMax: 100 };
  await ground.ask('updateAccount', { as: admin, params, anyVersion: true, body: limit });
  const credit = { amountUsd: '30', reason: 'a gift' };
  await ground.ask('createCredit', { as: admin, params, body: credit });
  await ground.ask('getAccountOverview', { as: admin, params });
  await ground.ask('listOwnCredits', { as: person });
  await ground.ask('listCredits', { as: admin });
}

/** Everything about who somebody is. */
export async function usePeople(walk: Walk): Promise<void> {
  const person = await register(walk);
  await useSessions(walk, person);
  await useSecondFactors(walk, person);
  await useAccessTokens(walk, person);
  await manageUsers(walk, person);
  await manageAccounts(walk, person);
}
