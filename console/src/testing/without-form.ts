import type { SchemaName } from '@weir/shared/admin-schemas';
import { MEMBERS_WITHOUT_FORM } from './member-form-cases';

/**
 * Bodies that no form is for: each changes by switches and choices, or is the counterpart of a form
 * above.
 */
export const WITHOUT_FORM: Partial<Record<SchemaName, string>> = {
  AccountUpdate: 'listed',
  AlertRuleCreate: 'a form for each kind',
  AlertRuleUpdate: 'the form of AlertRuleCreate',
  AlertTargetUpdate: 'the form of AlertTargetCreate',
  PricesBulkChange: 'fields of its own, tested in bulk-price-form.spec.ts',
  ModelsBulkChange: 'buttons and a choice of groups',
  KeysBulkChange: 'fields of its own, tested in key-limits-form.spec.ts',
  OwnKeysBulkChange: 'the form of KeysBulkChange',
  AccountsBulkChange:
    'fields with the schemas of AccountUpdate, CreditCreate and GroupAccountsCreate',
  ChannelsBulkChange: 'fields with the schemas of ChannelUpdate',
  RedemptionCodesBulkChange: 'buttons',
  InvitationCodesBulkChange: 'buttons',
  BulkChangeUndo: 'a button',
  BudgetUpdate: 'without a page yet',
  TimeZoneUpdate: 'without a page yet',
  ChannelUpdate: 'the form of ChannelCreate',
  ChannelTestCreate: 'a choice of model and credential',
  CredentialCreate: 'one field on the channel’s page, with the same schema as in ChannelCreate',
  CredentialUpdate: 'a switch',
  LearnedRefusalUpdate: 'a button',
  EmailVerification: 'a link',
  GroupUpdate: 'the form of GroupCreate',
  InvitationCodeUpdate: 'a switch',
  KeyAdminUpdate: 'a switch',
  KeyRotationCreate: 'a choice',
  ContentLogUpdate: 'choices and switches',
  ContentPolicyUpdate: 'buttons',
  KeyUpdate: 'the form of KeyCreate',
  ModelImport: 'a text that is read as a table, tested in read-import.spec.ts',
  ModelUpdate: 'the form of ModelCreate',
  PlanUpdate: 'the form of PlanCreate',
  ReadyAlertsCreate: 'a button',
  RedemptionBatchUpdate: 'a switch',
  SavedViewUpdate: 'the form of SavedViewCreate, and a button',
  SearchCreate: 'the field of the palette',
  RedemptionCodeUpdate: 'a switch',
  SubscriptionCreate: 'a choice of plan',
  SubscriptionUpdate: 'a switch',
  ...MEMBERS_WITHOUT_FORM,
  UserPreferencesUpdate: 'choices',
  UpstreamProbeCreate: 'the form of a new channel, with the same schemas',
  UpstreamTestCreate: 'a button at each model of the upstream',
  UserUpdate: 'switches',
};
