import { isAudited, type AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { DIRECTORY_ACTS } from '@weir/shared/people/directories';
import type { PlainKey } from '../../core/i18n/i18n';

type SubjectKey = Extract<PlainKey, `subject.${string}`>;
type ActKey = Extract<PlainKey, `act.${string}`>;

/** Acts that can be in the log, by operation id. A spec proves that each has its words. */
export const ACTS: readonly string[] = [
  ...Object.entries<AdminRoute>(ADMIN_ROUTES)
    .filter(([, route]) => isAudited(route))
    .map(([act]) => act),
  ...DIRECTORY_ACTS,
].sort();

/**
 * The key of the words for an act; `undefined` for one of a newer server, which is shown by its id.
 */
export function actKey(act: string): ActKey | undefined {
  return ACTS.includes(act) ? (`act.${act}` as ActKey) : undefined;
}

/** The subjects of acts, by their kind in the log. */
const SUBJECTS: Readonly<Record<string, SubjectKey>> = {
  access_token: 'subject.access_token',
  account: 'subject.account',
  alert_rule: 'subject.alert_rule',
  alert_target: 'subject.alert_target',
  sign_on_provider: 'subject.sign_on_provider',
  identity: 'subject.identity',
  directory_user: 'subject.directory_user',
  directory_group: 'subject.directory_group',
  bulk_change: 'subject.bulk_change',
  channel: 'subject.channel',
  group: 'subject.group',
  invitation_code: 'subject.invitation_code',
  key: 'subject.key',
  member: 'subject.member',
  member_invitation: 'subject.member_invitation',
  model: 'subject.model',
  order: 'subject.order',
  plan: 'subject.plan',
  redemption_batch: 'subject.redemption_batch',
  redemption_code: 'subject.redemption_code',
  secrets: 'subject.secrets',
  settings: 'subject.settings',
  subscription: 'subject.subscription',
  team: 'subject.team',
  upstream_prices: 'subject.upstream_prices',
  upstream: 'subject.upstream',
  user: 'subject.user',
};

/** The key of the word for a kind of subject; `undefined` for one of a newer server. */
export function subjectKey(kind: string): SubjectKey | undefined {
  return Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
}
