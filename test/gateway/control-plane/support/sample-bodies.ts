import type { BodyOf, RouteId } from '@weir/shared/admin-routes';

/** A body for each route that takes one, of the right shape; what it names need not exist. */
type Bodies = {
  readonly [Route in RouteId as BodyOf<Route> extends undefined ? never : Route]: BodyOf<Route>;
};

const NOBODY = '00000000-0000-7000-8000-000000000000';
const email = 'someone@example.org';
const password = 'a long enough password';

const SAMPLE_BODIES: Bodies = {
  register: { email, password },
  requestVerification: { email },
  verifyEmail: { token: 'x'.repeat(43) },
  requestPasswordReset: { email },
  resetPassword: { token: 'x'.repeat(43), password },
  logIn: { email, password },
  beginSecondFactor: { password },
  confirmSecondFactor: { code: '000000' },
  removeSecondFactor: { password, code: '000000' },
  renewRecoveryCodes: { password, code: '000000' },
  createAccessToken: { name: 'a token', scope: 'read' },
  createOwnAccount: { name: 'an account' },
  switchAccount: { accountId: NOBODY },
  updateMember: { role: 'viewer' },
  createTeam: { name: 'a team' },
  updateTeam: { name: 'a team' },
  inviteMember: { role: 'member' },
  lookUpMemberInvitation: { token: 'x'.repeat(43) },
  acceptMemberInvitation: { token: 'x'.repeat(43) },
  updateOwnUser: { theme: 'dark' },
  changePassword: { currentPassword: password, newPassword: password },
  updateUser: { disabled: false },
  changeEmailOfUser: { email },
  updateOwnAccount: { name: 'a name' },
  createAccount: { name: 'a name', email },
  updateAccount: { name: 'a name' },
  createCredit: { amountUsd: '1', reason: 'a reason' },
  updateBudget: { dayUsd: '5' },
  updateTimeZone: { timeZone: 'Europe/Berlin' },
  createKey: { name: 'a key', groupId: NOBODY },
  createKeyBatch: { namePrefix: 'a team', count: 1, groupId: NOBODY },
  createKeyBatchForAccount: {
    accountId: NOBODY,
    namePrefix: 'a team',
    count: 1,
    groupId: NOBODY,
  },
  updateKey: { name: 'a key' },
  rotateKey: { overlapSeconds: 0 },
  updateKeyOfAnyone: { status: 'disabled' },
  createGroup: { name: 'a group' },
  updateGroup: { name: 'a group' },
  addGroupAccounts: { accountIds: [NOBODY] },
  changePricesInBulk: { ids: [NOBODY], percent: '10' },
  changeModelsInBulk: { ids: [NOBODY], status: 'disabled' },
  changeKeysInBulk: { ids: [NOBODY], status: 'disabled' },
  changeOwnKeysInBulk: { ids: [NOBODY], status: 'disabled' },
  changeAccountsInBulk: { ids: [NOBODY], status: 'suspended' },
  changeChannelsInBulk: { ids: [NOBODY], priority: 1 },
  changeRedemptionCodesInBulk: { ids: [NOBODY], status: 'disabled' },
  changeInvitationCodesInBulk: { ids: [NOBODY], status: 'disabled' },
  undoBulkChange: {},
  createModel: { publicId: 'a-model', contextTokensMax: 1, outputTokensMax: 1 },
  importModels: {
    models: [{ publicId: 'a-model', contextTokensMax: 1, outputTokensMax: 1 }],
    dryRun: true,
  },
  updateModel: { displayName: 'a model' },
  createPrice: { inputUsd: '1', outputUsd: '1' },
  createChannel: { name: 'a channel', baseUrl: 'https://203.0.113.1/v1' },
  updateChannel: { name: 'a channel' },
  updateUpstreamPrices: { factor: '0.8', models: [{ model: 'a-model', prices: null }] },
  createCredential: { secret: 'upstream-secret' },
  updateCredential: { status: 'disabled' },
  updateLearnedRefusal: { kept: true },
  testChannel: {},
  probeUpstream: { address: 'http://127.0.0.1:9/v1' },
  testUpstream: { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1', upstreamName: 'a-model' },
  redeemCode: { code: 'AAAAA-AAAAA-AAAAA-AAAAA' },
  createRedemptionBatch: { name: 'a batch', count: 1, kind: 'balance', amountUsd: '1' },
  updateRedemptionBatch: { status: 'disabled' },
  updateRedemptionCode: { status: 'disabled' },
  createInvitationCode: { usesMax: 1 },
  updateInvitationCode: { status: 'disabled' },
  createPlan: {
    name: 'a plan',
    priceUsd: '1',
    groupIds: [NOBODY],
    allowances: [{ window: 'day', limitUsd: '1' }],
  },
  updatePlan: { name: 'a plan' },
  buySubscription: { planId: NOBODY },
  updateOwnSubscription: { renews: false },
  grantSubscription: { accountId: NOBODY, planId: NOBODY, reason: 'a reason' },
  updateSubscription: { renews: false },
  createOrder: { kind: 'top_up', amountUsd: '10' },
  refundOrder: { reason: 'a reason' },
  search: { text: 'someone' },
  updateSettings: { siteName: 'Weir' },
  createReadyAlertRules: { language: 'en' },
  createAlertRule: { name: 'a rule', kind: 'channel_failing' },
  updateAlertRule: { status: 'disabled' },
  createAlertTarget: { name: 'a target', kind: 'mail', address: email },
  updateAlertTarget: { status: 'disabled' },
  lookUpSignOn: { email },
  beginSignOn: { provider: 'unknown' },
  finishSignOn: { provider: 'unknown', query: 'code=a&state=b' },
  proveSignOn: { state: 'x'.repeat(43), code: '000000' },
  receiveLogoutToken: { logout_token: 'x' },
  beginIdentityLink: { provider: 'unknown' },
  createSignOnProvider: {
    slug: 'a-provider',
    preset: 'oidc',
    name: 'a provider',
    issuer: 'https://192.0.2.1',
    clientId: 'weir',
  },
  updateSignOnProvider: { status: 'disabled' },
  updateNoticeSettings: { lowBalanceUsd: '5', budgetPercent: 80, planEndingDays: null },
};

export function sampleBody(route: RouteId): object | undefined {
  return new Map<string, object>(Object.entries(SAMPLE_BODIES)).get(route);
}

/** Parameters that name nothing. */
export function sampleParams(path: string): Record<string, string> {
  const special: Record<string, string> = {
    month: '2026-01',
    effectiveFrom: '2030-01-01T00:00:00Z',
    memberId: '999999999',
    teamId: '999999999',
    signOnSlug: 'unknown',
  };
  return Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, special[name] ?? NOBODY]),
  );
}
