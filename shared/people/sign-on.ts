import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from '../api/pages.ts';
import { MEMBER_ROLES } from '../api/permissions.ts';
import { SIGN_ON_PRESETS } from './sign-on-presets.ts';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  KnownEmailAddress,
  LinkToken,
  Name,
  nullable,
  Serial,
  TEXT_KIND,
  partial,
} from '../api/wire-values.ts';

export const SIGN_ON_PROVIDERS_MAX = 50;
const DOMAINS_MAX = 100;
const RULES_MAX = 500;

/**
 * The people who get a login at their first sign-on: no one, those whom a rule leads to an account,
 * or also others, as the registration mode allows.
 */
export const SIGN_UPS = ['none', 'mapped', 'anyone'] as const;
export type SignUp = (typeof SIGN_UPS)[number];

/** Roles that rules give. Ownership is offered and accepted. */
export const RULE_ROLES = MEMBER_ROLES.filter((role) => role !== 'owner') as [
  'administrator',
  'billing',
  'member',
  'viewer',
];
export type RuleRole = (typeof RULE_ROLES)[number];

export const SignOnSlug = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9](-?[a-z0-9])*$',
  description: 'The name in the callback address.',
});

/** A domain of e-mail addresses, without its subdomains. */
const SignOnDomain = closed({
  domain: Type.String({
    maxLength: 253,
    pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9-]{2,63}$',
  }),
  /** People of the domain may not log in with a password. */
  onlySignOn: Type.Boolean(),
});
export type SignOnDomain = Static<typeof SignOnDomain>;

const RULE = {
  /** A claim of the ID token or of UserInfo; `a.b` is a member of an object. */
  claim: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  /** The value, or one of a list; `*` is any. */
  value: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  accountId: Id,
  role: choice(RULE_ROLES),
  teamId: Type.Optional(nullable(Serial)),
};
export const SignOnRule = closed(RULE);
export type SignOnRule = Static<typeof SignOnRule>;

const PROVIDER = {
  name: Name,
  issuer: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^https?://[^\\s<>]+$',
    [TEXT_KIND]: 'ascii',
  }),
  /** Some providers give ids that are as random as keys. */
  clientId: Type.String({ minLength: 1, maxLength: 300, pattern: '^\\S+$', [TEXT_KIND]: 'random' }),
  scopes: Type.String({ maxLength: 500 }),
  signUp: choice(SIGN_UPS),
  /** The provider asks for a second factor, so Weir does not. */
  trustsSecondFactor: Type.Boolean(),
  /** A button on the log-in page. Without it, people come by the domain of their address. */
  shownOnLogIn: Type.Boolean(),
  /** Its address may be private, and may be plain http. */
  allowPrivate: Type.Boolean(),
  status: choice(['active', 'disabled']),
  domains: Type.Array(SignOnDomain, { maxItems: DOMAINS_MAX }),
};

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1_000,
  writeOnly: true,
  [TEXT_KIND]: 'opaque',
});
const Rules = Type.Array(SignOnRule, { maxItems: RULES_MAX });

export const SignOnProviderCreate = closed({
  slug: SignOnSlug,
  preset: choice(SIGN_ON_PRESETS),
  name: PROVIDER.name,
  issuer: PROVIDER.issuer,
  clientId: PROVIDER.clientId,
  clientSecret: Type.Optional(nullable(ClientSecret)),
  scopes: Type.Optional(PROVIDER.scopes),
  signUp: Type.Optional(PROVIDER.signUp),
  trustsSecondFactor: Type.Optional(PROVIDER.trustsSecondFactor),
  shownOnLogIn: Type.Optional(PROVIDER.shownOnLogIn),
  allowPrivate: Type.Optional(PROVIDER.allowPrivate),
  status: Type.Optional(PROVIDER.status),
  domains: Type.Optional(PROVIDER.domains),
  rules: Type.Optional(Rules),
});
export type SignOnProviderCreate = Static<typeof SignOnProviderCreate>;

/** Lists replace the former ones. A secret that is not sent stays. */
export const SignOnProviderUpdate = partial(
  closed({ ...PROVIDER, clientSecret: nullable(ClientSecret), rules: Rules }),
  { additionalProperties: false },
);
export type SignOnProviderUpdate = Static<typeof SignOnProviderUpdate>;

export const SignOnProviderView = closed({
  id: Id,
  slug: Type.String(),
  preset: choice(SIGN_ON_PRESETS),
  ...PROVIDER,
  /** The secret is stored; it is never shown. */
  clientSecretSet: Type.Boolean(),
  rules: Type.Array(
    closed({
      ...RULE,
      teamId: nullable(Serial),
      accountName: Type.String(),
      teamName: nullable(Type.String()),
    }),
  ),
  /** To be entered at the provider as the redirect address. */
  callbackUrl: Type.String(),
  /** To be entered at the provider for back-channel logout. */
  logoutUrl: Type.String(),
  /** People who have signed on by it. */
  identitiesCount: Count,
  /** People come from its SCIM directory. */
  hasDirectory: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type SignOnProviderView = Static<typeof SignOnProviderView>;
export const SignOnProviderList = listOf(SignOnProviderView);
export type SignOnProviderList = Static<typeof SignOnProviderList>;

const SIGN_ON_CHECKS = ['discovery', 'keys', 'client', 'logout'] as const;

/** The result of asking the provider. `passed` null: the provider does not say. */
export const SignOnProviderTest = closed({
  checks: Type.Array(
    closed({
      check: choice(SIGN_ON_CHECKS),
      passed: nullable(Type.Boolean()),
      detail: Type.String(),
    }),
  ),
});
export type SignOnProviderTest = Static<typeof SignOnProviderTest>;

// The log-in page
// ---------------

/** A provider as visitors see it. */
export const SignOnChoice = closed({
  slug: Type.String(),
  name: Type.String(),
  preset: choice(SIGN_ON_PRESETS),
});
export type SignOnChoice = Static<typeof SignOnChoice>;
export const SignOnChoiceList = listOf(SignOnChoice);
export type SignOnChoiceList = Static<typeof SignOnChoiceList>;

export const SignOnLookup = closed({ email: KnownEmailAddress });
export type SignOnLookup = Static<typeof SignOnLookup>;

/** The way in which people of a domain log in. Says nothing about the one address. */
export const SignOnLookupResult = closed({
  provider: nullable(SignOnChoice),
  onlySignOn: Type.Boolean(),
});
export type SignOnLookupResult = Static<typeof SignOnLookupResult>;

/** The browser goes to `url` next. */
export const SignOnFlowCreate = closed({
  provider: SignOnSlug,
  /** Prefills the provider's own form. */
  email: Type.Optional(KnownEmailAddress),
  /** The page to open afterwards. */
  to: Type.Optional(Type.String({ maxLength: 500, writeOnly: true, [TEXT_KIND]: 'opaque' })),
  /** For a person who registers by it; as in `RegistrationCreate`. */
  invitationCode: Type.Optional(Type.String({ minLength: 1, maxLength: 100, writeOnly: true })),
  memberInvitationToken: Type.Optional(LinkToken),
  termsAccepted: Type.Optional(Type.Boolean()),
  language: Type.Optional(choice(['en', 'zh-CN'])),
});
export type SignOnFlowCreate = Static<typeof SignOnFlowCreate>;

export const SignOnFlowCreated = closed({ url: Type.String() });
export type SignOnFlowCreated = Static<typeof SignOnFlowCreated>;

/** The query with which the provider sent the browser back. */
export const SignOnCallback = closed({
  provider: SignOnSlug,
  query: Type.String({ maxLength: 8_000, writeOnly: true, [TEXT_KIND]: 'opaque' }),
});
export type SignOnCallback = Static<typeof SignOnCallback>;

export const SignOnSecondFactor = closed({
  state: Type.String({ minLength: 20, maxLength: 200, writeOnly: true, [TEXT_KIND]: 'ascii' }),
  /** A one-time password or a recovery code. */
  code: Type.String({ minLength: 6, maxLength: 40, writeOnly: true }),
});
export type SignOnSecondFactor = Static<typeof SignOnSecondFactor>;

const SIGN_ON_OUTCOMES = ['logged_in', 'linked', 'second_factor_required'] as const;

/** The session itself travels only in the cookie. */
export const SignOnResult = closed({
  outcome: choice(SIGN_ON_OUTCOMES),
  /** The page that was asked for. */
  to: nullable(Type.String()),
  /** The login was made by this sign-on. */
  isNew: Type.Boolean(),
});
export type SignOnResult = Static<typeof SignOnResult>;

/** OpenID Connect Back-Channel Logout 1.0, as a form or as JSON. */
export const BackChannelLogout = closed({
  logout_token: Type.String({
    minLength: 1,
    maxLength: 16_000,
    writeOnly: true,
    [TEXT_KIND]: 'opaque',
  }),
});
export type BackChannelLogout = Static<typeof BackChannelLogout>;

// Identities of a person
// ----------------------

export const IdentityView = closed({
  id: Id,
  /** Null after the operator has deleted the provider. */
  provider: nullable(SignOnChoice),
  issuer: Type.String(),
  /** The address that the provider reported last. */
  email: nullable(Type.String()),
  /** False for the last way in, and while the provider manages a membership. */
  removable: Type.Boolean(),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
});
export type IdentityView = Static<typeof IdentityView>;
export const IdentityList = listOf(IdentityView);
export type IdentityList = Static<typeof IdentityList>;

export const IdentityLinkCreate = closed({ provider: SignOnSlug });
export type IdentityLinkCreate = Static<typeof IdentityLinkCreate>;

/** The schemas of this file by their names in the API. */
export const SIGN_ON_SCHEMAS = {
  SignOnRule,
  SignOnProviderCreate,
  SignOnProviderUpdate,
  SignOnProviderView,
  SignOnProviderList,
  SignOnProviderTest,
  SignOnChoice,
  SignOnChoiceList,
  SignOnLookup,
  SignOnLookupResult,
  SignOnFlowCreate,
  SignOnFlowCreated,
  SignOnCallback,
  SignOnSecondFactor,
  SignOnResult,
  BackChannelLogout,
  IdentityView,
  IdentityList,
  IdentityLinkCreate,
};
