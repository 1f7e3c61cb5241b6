import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  closed,
  choice,
  EmailAddress,
  Instant,
  KnownEmailAddress,
  nullable,
  Password,
  Text,
  Id,
  LinkToken,
} from '../api/wire-values.ts';
import { countedPageOf, PAGE_QUERY } from '../api/pages.ts';

export const REGISTRATION_MODES = ['open', 'invitation', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

export const RegistrationCreate = closed({
  email: EmailAddress,
  password: Password,
  /** Demanded when the registration mode is `invitation`. */
  invitationCode: Type.Optional(Type.String({ minLength: 1, maxLength: 100, writeOnly: true })),
  /** The token of an invitation into an account, which the new user becomes a member of. */
  memberInvitationToken: Type.Optional(LinkToken),
  language: Type.Optional(choice(['en', 'zh-CN'])),
  /** The token of the widget of `captcha` in the public settings; required if there is one. */
  captchaToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
  /** Demanded when the operator has terms or a privacy notice. */
  termsAccepted: Type.Optional(Type.Boolean()),
});
export type RegistrationCreate = Static<typeof RegistrationCreate>;

/**
 * The same answer whether or not the address was known. `verification`: a link was sent that must
 * be followed before the first login. `login`: the address and password may be used at once.
 */
export const RegistrationAccepted = closed({ next: choice(['verification', 'login']) });
export type RegistrationAccepted = Static<typeof RegistrationAccepted>;

export const EmailVerification = closed({ token: LinkToken });
export type EmailVerification = Static<typeof EmailVerification>;

/** Asks for a link by mail, for a verification or a password reset. */
export const MailRequest = closed({
  email: KnownEmailAddress,
});
export type MailRequest = Static<typeof MailRequest>;

export const PasswordResetConfirmation = closed({ token: LinkToken, password: Password });
export type PasswordResetConfirmation = Static<typeof PasswordResetConfirmation>;

export const InvitationCodeCreate = closed({
  /** The number of people who may register with it. */
  usesMax: Type.Integer({ minimum: 1, maximum: 100_000, default: 1 }),
  expiresAt: Type.Optional(nullable(Instant)),
  note: Type.Optional(Text),
});
export type InvitationCodeCreate = Static<typeof InvitationCodeCreate>;

export const InvitationCodeView = closed({
  id: Id,
  code: Type.String(),
  usesMax: Type.Integer(),
  usesCount: Type.Integer(),
  status: choice(['active', 'disabled']),
  expiresAt: nullable(Instant),
  note: Type.String(),
  createdAt: Instant,
});
export type InvitationCodeView = Static<typeof InvitationCodeView>;

export const InvitationCodeUpdate = closed({ status: choice(['active', 'disabled']) });
export type InvitationCodeUpdate = Static<typeof InvitationCodeUpdate>;

/** The fields that invitations can be sorted by; `-` is descending. `uses`: those that are left. */
export const INVITATION_CODE_SORTS = [
  'created',
  '-created',
  'note',
  '-note',
  'uses',
  '-uses',
  'status',
  '-status',
] as const;

export const InvitationCodeListQuery = closed({
  ...PAGE_QUERY,
  sort: Type.Optional(choice(INVITATION_CODE_SORTS)),
});
export const InvitationCodePage = countedPageOf(InvitationCodeView);
export type InvitationCodePage = Static<typeof InvitationCodePage>;
