import { createHash } from 'node:crypto';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { AccountingSettingsUpdate, AccountingSettingsView } from '@weir/shared/money/accounting';
import {
  AccountAdminView,
  AccountPreferencesUpdate,
  AccountUpdate,
  AccountView,
} from '@weir/shared/people/accounts';
import {
  AlertRuleUpdate,
  AlertRuleView,
  AlertTargetUpdate,
  AlertTargetView,
} from '@weir/shared/watch/alerts';
import { ChannelUpdate, ChannelView } from '@weir/shared/catalog/channels';
import { GroupDetail, GroupUpdate } from '@weir/shared/catalog/groups';
import { KeyUpdate, KeyView } from '@weir/shared/people/keys';
import { ModelUpdate, ModelView } from '@weir/shared/catalog/models';
import { PlanDetail, PlanUpdate } from '@weir/shared/money/plans';
import { SettingsUpdate, SettingsView } from '@weir/shared/people/settings';
import { SignOnProviderUpdate, SignOnProviderView } from '@weir/shared/people/sign-on';
import { SubscriptionAdminUpdate, SubscriptionView } from '@weir/shared/money/subscriptions';
import { UserUpdate, UserView } from '@weir/shared/people/users';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/**
 * A version is made of the fields that a person may edit and of nothing else: a balance that moves
 * or a key that was used must not refuse an edit as "changed in the meantime".
 */
const EDITABLE = new Map<AdminRoute['reply'], readonly string[]>([
  [AccountView, Object.keys(AccountPreferencesUpdate.properties)],
  [AccountAdminView, Object.keys(AccountUpdate.properties)],
  [AccountingSettingsView, Object.keys(AccountingSettingsUpdate.properties)],
  [AlertRuleView, Object.keys(AlertRuleUpdate.properties)],
  [AlertTargetView, Object.keys(AlertTargetUpdate.properties)],
  [ChannelView, Object.keys(ChannelUpdate.properties)],
  [GroupDetail, Object.keys(GroupUpdate.properties)],
  [KeyView, Object.keys(KeyUpdate.properties)],
  [ModelView, Object.keys(ModelUpdate.properties)],
  [PlanDetail, [...Object.keys(PlanUpdate.properties), 'groups']],
  [SettingsView, Object.keys(SettingsUpdate.properties)],
  [SignOnProviderView, Object.keys(SignOnProviderUpdate.properties)],
  [SubscriptionView, Object.keys(SubscriptionAdminUpdate.properties)],
  [UserView, Object.keys(UserUpdate.properties)],
]);

/** The strong ETag of a view. Throws for a schema that has no editable fields listed. */
export function etagOf(schema: AdminRoute['reply'], view: object): string {
  const fields = EDITABLE.get(schema);
  if (fields === undefined) throw new Error('The reply of this route has no editable fields.');
  const values = new Map<string, unknown>(Object.entries(view));
  const content = JSON.stringify(fields.map((field) => values.get(field) ?? null));
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** The mark of a compressing proxy on the ETag of a reply that it changed: nginx, HAProxy. */
const WEAK = /^W\//;

/**
 * RFC 9110: `If-Match` is `*` or a list of ETags. Against its letter a weakened one counts as well:
 * what it stands for is the content and not its bytes, and behind a proxy that compresses no one
 * could change anything otherwise.
 */
function matches(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((candidate) => candidate.trim().replace(WEAK, '') === etag);
}

export function refuseUnmatched(ifMatch: string, etag: string): Refusal | undefined {
  if (matches(ifMatch, etag)) return undefined;
  return refuse(
    'precondition_failed',
    'Someone changed this since you last saw it. Load it again, look at the change, and repeat yours.',
  );
}
