import type { MemberRole } from '@weir/shared/api/permissions';
import type { AdminFixture, Person } from './fixture.ts';

/** An account that a person opened, in which their session acts. */
export interface Company {
  readonly accountId: string;
  readonly owner: Person;
}

export async function openCompany(
  fixture: AdminFixture,
  owner: Person,
  name = 'Company',
): Promise<Company> {
  const { reply } = await fixture.ask('createOwnAccount', { as: owner, body: { name } });
  return { accountId: reply.accountId, owner };
}

export function tokenOf(link: string | null | undefined): string {
  return link?.split('#token=')[1] ?? '';
}

/** Makes a link into the company, as its owner. Returns the token. */
export async function invite(
  fixture: AdminFixture,
  { owner }: Pick<Company, 'owner'>,
  body: { readonly role: MemberRole; readonly email?: string; readonly teamId?: string },
): Promise<{ readonly id: string; readonly token: string }> {
  const { reply } = await fixture.ask('inviteMember', { as: owner, body });
  return { id: reply.id, token: tokenOf(reply.link) };
}

/** Lets a person join the company, in which their session then acts. Returns the member's id. */
export async function join(
  fixture: AdminFixture,
  company: Company,
  joining: {
    readonly person: Person;
    readonly role: MemberRole;
    readonly teamId?: string;
  },
): Promise<string> {
  const { person, ...body } = joining;
  const { token } = await invite(fixture, company, body);
  const joined = await fixture.ask('acceptMemberInvitation', { as: person, body: { token } });
  return joined.reply.memberId;
}
