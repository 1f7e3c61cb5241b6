import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  EmailAddress,
  Id,
  Instant,
  LinkToken,
  Name,
  nullable,
  partial,
  Serial,
} from '../api/wire-values.ts';
import { Budgets, BudgetUpdate } from '../money/budgets.ts';
import { listOf, PAGE_QUERY, pageOf } from '../api/pages.ts';
import { MEMBER_ROLES } from '../api/permissions.ts';

/** Accounts that one person may own, beyond the one that was made with their login. */
export const OWNED_ACCOUNTS_MAX = 20;
/** Members of one account who have not left. */
export const MEMBERS_PER_ACCOUNT_MAX = 5_000;
export const TEAMS_PER_ACCOUNT_MAX = 200;
export const TEAM_GROUPS_MAX = 200;
/** Invitations of one account that can still be accepted. */
export const OPEN_INVITATIONS_MAX = 200;
export const INVITATION_DAYS = 7;

export const MemberRoleChoice = choice(MEMBER_ROLES);

/** One of the accounts that a person acts in. */
export const MembershipView = closed({
  accountId: Id,
  accountName: Type.String(),
  memberId: Serial,
  role: MemberRoleChoice,
  teamName: nullable(Type.String()),
  /** The account that was made with the login. It cannot be left. */
  personal: Type.Boolean(),
  /** An owner offers the person ownership of the account, to be accepted or not. */
  ownershipOffered: Type.Boolean(),
});
export type MembershipView = Static<typeof MembershipView>;

export const MembershipList = listOf(MembershipView);
export type MembershipList = Static<typeof MembershipList>;

/** Opens a further account, which the caller owns. */
export const OwnAccountCreate = closed({ name: Name });
export type OwnAccountCreate = Static<typeof OwnAccountCreate>;

/** The account that requests of the session act in from now on. */
export const AccountSwitch = closed({ accountId: Id });
export type AccountSwitch = Static<typeof AccountSwitch>;

export const MemberView = closed({
  id: Serial,
  userId: Id,
  email: Type.String(),
  role: MemberRoleChoice,
  teamId: nullable(Serial),
  teamName: nullable(Type.String()),
  /** The identity provider whose rules decide role and team; null: members of the account do. */
  managedBy: nullable(Type.String()),
  /** Ownership was offered and is not accepted yet. */
  ownershipOffered: Type.Boolean(),
  keysCount: Count,
  joinedAt: Instant,
});
export type MemberView = Static<typeof MemberView>;

export const MemberListQuery = closed({
  ...PAGE_QUERY,
  /** Part of an e-mail address. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  teamId: Type.Optional(Serial),
});
export type MemberListQuery = Static<typeof MemberListQuery>;
export const MemberPage = pageOf(MemberView);
export type MemberPage = Static<typeof MemberPage>;

/** The role `owner` is offered to the member, who has it after accepting. */
export const MemberUpdate = partial(closed({ role: MemberRoleChoice, teamId: nullable(Serial) }), {
  additionalProperties: false,
});
export type MemberUpdate = Static<typeof MemberUpdate>;

const TeamGroups = Type.Array(Id, {
  maxItems: TEAM_GROUPS_MAX,
  uniqueItems: true,
  description: 'The groups that keys of the team may be for; empty: all groups of the account.',
});

export const TeamCreate = closed({ name: Name, groupIds: Type.Optional(TeamGroups) });
export type TeamCreate = Static<typeof TeamCreate>;

export const TeamUpdate = partial(closed({ name: Name, groupIds: TeamGroups }), {
  additionalProperties: false,
});
export type TeamUpdate = Static<typeof TeamUpdate>;

export const TeamView = closed({
  id: Serial,
  name: Type.String(),
  /** False: keys are for `groupIds` alone, also when the last of them was deleted. */
  allGroups: Type.Boolean(),
  groupIds: Type.Array(Id),
  membersCount: Count,
  /** Service keys of the team. */
  keysCount: Count,
  createdAt: Instant,
});
export type TeamView = Static<typeof TeamView>;
export const TeamList = listOf(TeamView);
export type TeamList = Static<typeof TeamList>;

/** With an address, the invitation is mailed and bound to it; without one, it is a link. */
export const MemberInvitationCreate = closed({
  email: Type.Optional(nullable(EmailAddress)),
  role: MemberRoleChoice,
  teamId: Type.Optional(nullable(Serial)),
  /** The budget that the person gets with the membership. */
  budget: Type.Optional(BudgetUpdate),
});
export type MemberInvitationCreate = Static<typeof MemberInvitationCreate>;

export const INVITATION_STATUSES = ['open', 'accepted', 'withdrawn', 'expired'] as const;

export const MemberInvitationView = closed({
  id: Id,
  email: nullable(Type.String()),
  role: MemberRoleChoice,
  teamId: nullable(Serial),
  teamName: nullable(Type.String()),
  budget: Budgets,
  status: choice(INVITATION_STATUSES),
  invitedBy: Type.String(),
  acceptedBy: nullable(Type.String()),
  expiresAt: Instant,
  createdAt: Instant,
});
export type MemberInvitationView = Static<typeof MemberInvitationView>;

export const MemberInvitationListQuery = closed({ ...PAGE_QUERY });
export type MemberInvitationListQuery = Static<typeof MemberInvitationListQuery>;
export const MemberInvitationPage = pageOf(MemberInvitationView);
export type MemberInvitationPage = Static<typeof MemberInvitationPage>;

/** `link` is shown this once, and only if it was not mailed. */
export const MemberInvitationCreated = closed({
  ...MemberInvitationView.properties,
  link: nullable(Type.String()),
});
export type MemberInvitationCreated = Static<typeof MemberInvitationCreated>;

/** The token of an invitation's link. */
export const InvitationToken = closed({ token: LinkToken });
export type InvitationToken = Static<typeof InvitationToken>;

/** Shown to the holder of the link before they accept. */
export const MemberInvitationPreview = closed({
  accountName: Type.String(),
  role: MemberRoleChoice,
  teamName: nullable(Type.String()),
  invitedBy: Type.String(),
  /** The address that it is bound to; null for a link. */
  email: nullable(Type.String()),
  expiresAt: Instant,
});
export type MemberInvitationPreview = Static<typeof MemberInvitationPreview>;

/** The schemas of this file by their names in the API. */
export const MEMBER_SCHEMAS = {
  MembershipView,
  MembershipList,
  OwnAccountCreate,
  AccountSwitch,
  MemberView,
  MemberListQuery,
  MemberPage,
  MemberUpdate,
  TeamCreate,
  TeamUpdate,
  TeamView,
  TeamList,
  MemberInvitationCreate,
  MemberInvitationView,
  MemberInvitationListQuery,
  MemberInvitationPage,
  MemberInvitationCreated,
  InvitationToken,
  MemberInvitationPreview,
} as const;
