import { sessionCookie, type Person } from '../fixture.ts';
import type { Walk } from '../walk.ts';

/** A person who has logged in once more, so that the session of others stays where it is. */
async function again(walk: Walk, person: Person, password: string): Promise<Person> {
  const { email } = person;
  const { headers } = await walk.fixture.ask('logIn', { body: { email, password } });
  const cookie = sessionCookie(headers['set-cookie']);
  walk.secrets.set(`session of a member ${String(walk.secrets.size)}`, cookie.split('=')[1] ?? '');
  return { ...person, cookie };
}

async function useTeams(walk: Walk, owner: Person): Promise<string> {
  const { fixture } = walk;
  const { reply } = await fixture.ask('createTeam', { as: owner, body: { name: 'Research' } });
  const params = { teamId: reply.id };
  await fixture.ask('updateTeam', { as: owner, params, body: { name: 'Platform' } });
  await fixture.ask('listTeams', { as: owner });
  const spare = await fixture.ask('createTeam', { as: owner, body: { name: 'Spare' } });
  await fixture.ask('deleteTeam', { as: owner, params: { teamId: spare.reply.id } });
  return reply.id;
}

/** Invites by mail and by a link, and accepts both: as a person with a login, and without one. */
async function useInvitations(walk: Walk, owner: Person, teamId: string): Promise<Person> {
  const { fixture, smtp, secrets } = walk;
  const guest = await fixture.user();
  const body = { email: guest.email, role: 'member', teamId };
  await fixture.ask('inviteMember', { as: owner, body });
  const token = await smtp.takeToken(guest.email);
  secrets.set('token of an invitation', token);
  await fixture.ask('lookUpMemberInvitation', { body: { token } });
  await fixture.ask('acceptMemberInvitation', { as: guest, body: { token } });
  const linked = await fixture.ask('inviteMember', { as: owner, body: { role: 'viewer' } });
  secrets.set('token of a link', linked.reply.link?.split('#token=')[1] ?? '');
  await fixture.ask('listMemberInvitations', { as: owner });
  const params = { memberInvitationId: linked.reply.id };
  await fixture.ask('withdrawMemberInvitation', { as: owner, params });
  return guest;
}

/** Everything about members, teams and invitations of an account. */
export async function useMembers(walk: Walk, person: Person, password: string): Promise<void> {
  const { fixture } = walk;
  const owner = await again(walk, person, password);
  const opened = await fixture.ask('createOwnAccount', { as: owner, body: { name: 'Company' } });
  const { accountId } = opened.reply;
  await fixture.ask('switchAccount', { as: owner, body: { accountId } });
  const guest = await useInvitations(walk, owner, await useTeams(walk, owner));
  const members = await fixture.ask('listMembers', { as: owner });
  const memberId = members.reply.data.find(({ email }) => email === guest.email)?.id ?? '';
  const offer = { as: owner, params: { memberId }, body: { role: 'owner' } };
  await fixture.ask('updateMember', offer);
  await fixture.ask('acceptOwnership', { as: guest, params: { accountId } });
  await fixture.ask('listMemberships', { as: guest });
  await fixture.ask('leaveAccount', { as: guest, params: { accountId } });
  const helper = await fixture.user();
  const linked = await fixture.ask('inviteMember', { as: owner, body: { role: 'billing' } });
  const token = linked.reply.link?.split('#token=')[1] ?? '';
  walk.secrets.set('token of a used link', token);
  await fixture.ask('acceptMemberInvitation', { as: helper, body: { token } });
  const list = await fixture.ask('listMembers', { as: owner, query: { search: helper.email } });
  const gone = { memberId: list.reply.data[0]?.id ?? '' };
  await fixture.ask('removeMember', { as: owner, params: gone });
  await fixture.ask('listAccountAuditEntries', { as: owner });
}
