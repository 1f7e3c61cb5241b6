export const SIGN_ON_PRESETS = [
  'oidc',
  'entra',
  'okta',
  'google',
  'keycloak',
  'authentik',
  'github',
] as const;
export type SignOnPreset = (typeof SIGN_ON_PRESETS)[number];

interface PresetFacts {
  /** The form of the issuer; a word in angle brackets is the operator's. */
  readonly issuer: string;
  readonly scopes: string;
  /** The claim that names groups; rules begin with it. */
  readonly groupsClaim: string;
}

/**
 * The forms in which vendors write issuer and groups.
 * Sources: learn.microsoft.com/entra/identity-platform/optional-claims (app roles are in `roles`,
 * the tenant is a part of the issuer),
 * developer.okta.com/docs/guides/customize-tokens-groups-claim,
 * developers.google.com/identity/openid-connect (`hd` is the domain; there are no groups),
 * keycloak.org/docs/latest/server_admin (a mapper adds `groups`), docs.goauthentik.io (issuers end
 * in a slash, `profile` includes groups), docs.github.com/en/apps/oauth-apps.
 */
export const SIGN_ON_PRESET_FACTS: Readonly<Record<SignOnPreset, PresetFacts>> = {
  oidc: { issuer: 'https://<issuer>', scopes: 'openid email profile', groupsClaim: 'groups' },
  entra: {
    issuer: 'https://login.microsoftonline.com/<tenant>/v2.0',
    scopes: 'openid email profile',
    groupsClaim: 'roles',
  },
  okta: {
    issuer: 'https://<company>.okta.com',
    scopes: 'openid email profile groups',
    groupsClaim: 'groups',
  },
  google: {
    issuer: 'https://accounts.google.com',
    scopes: 'openid email profile',
    groupsClaim: 'hd',
  },
  keycloak: {
    issuer: 'https://<host>/realms/<realm>',
    scopes: 'openid email profile',
    groupsClaim: 'groups',
  },
  authentik: {
    issuer: 'https://<host>/application/o/<application>/',
    scopes: 'openid email profile',
    groupsClaim: 'groups',
  },
  github: {
    issuer: 'https://github.com',
    scopes: 'read:user user:email read:org',
    groupsClaim: 'orgs',
  },
};
