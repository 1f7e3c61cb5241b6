import { FormControl, type FormGroup } from '@angular/forms';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { ADMIN_SCHEMAS, type SchemaName } from '@weir/shared/api/admin-schemas';
import { ALERT_KINDS, AlertTerms, type AlertKind } from '@weir/shared/watch/alerts';
import { NOTICE_DEFAULTS } from '@weir/shared/people/notices';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { accountingSettings } from '../../../testing/accounting-view';
import { badValues } from '../../../testing/bad-values';
import { FakeApi } from '../../../testing/fake-api';
import { memberFormCases } from '../../../testing/member-form-cases';
import * as views from '../../../testing/views';
import { WITHOUT_FORM } from '../../../testing/without-form';
import { wordsIn } from '../../../testing/words';
import { AccountForm } from '../../account/account-form';
import { NoticesForm } from '../../account/notices-form';
import { PasswordForm } from '../../account/security/password-form';
import {
  SecondFactorProofForm,
  SecondFactorSetup,
} from '../../account/security/second-factor-setup';
import { TokenForm } from '../../account/tokens/token-form';
import {
  AccountCreateForm,
  AccountEditForm,
  CreditForm,
  EmailForm,
  GrantForm,
} from '../../admin/accounts/account-forms';
import { AccountingForm } from '../../admin/accounting/accounting-form';
import { AlertRuleForm, AlertTargetForm, TERMS_ASKED } from '../../admin/alerts/alert-forms';
import { CostFactorForm } from '../../admin/channels/costs/cost-forms';
import { ChannelForm } from '../../admin/channels/channel-form';
import { BatchForm, InvitationForm } from '../../admin/codes/code-forms';
import { AccountPriceForm } from '../../admin/accounts/prices/account-price-form';
import { GroupAccountForm } from '../../admin/groups/group-account-form';
import { GroupForm } from '../../admin/groups/group-form';
import { ModelForm } from '../../admin/models/model-form';
import { PriceForm } from '../../admin/models/prices/price-form';
import { RefundForm } from '../../admin/orders/refund-form';
import { PlanForm } from '../../admin/plans/plan-form';
import { SubscriptionForm } from '../../admin/plans/subscription-form';
import { ProviderForm } from '../../admin/sign-on/provider-form';
import { SettingsForm } from '../../admin/settings/settings-form';
import { BillingDetailsForm } from '../../billing/billing-details-form';
import { RedeemForm } from '../../billing/redeem-form';
import { TopUpForm } from '../../billing/top-up-form';
import { KeyBatchForm } from '../../keys/forms/key-batch-form';
import { KeyForm } from '../../keys/forms/key-form';
import { LogInForm } from '../../sessions/log-in-form';
import { ForgotPasswordForm, ResetPasswordForm } from '../../sessions/password-forms';
import { RegisterForm } from '../../sessions/register/register-form';
import { ViewForm } from '../../views/view-form';
import { Session } from '../session/session';
import { OperationKeys } from '../state/operation-keys';
import { faultWords } from './fault-words';

const { t } = await wordsIn('en');
const { t: tChinese } = await wordsIn('zh-CN');
const api = new FakeApi();
const session = new Session(() => api);
const money = { t, usd: (usd: string) => `$${usd}` };
const setup = new SecondFactorSetup(api);

type Group = Pick<FormGroup, 'controls'>;

function batchOfPlan(): Group {
  const { controls, group } = new BatchForm();
  controls.kind.setValue('plan');
  return group;
}

function longContextOfPrice(): Group {
  const { hasLongContext, longContext } = new PriceForm(null);
  hasLongContext.setValue(true);
  return longContext;
}

interface FormCase {
  readonly schema: SchemaName;
  readonly make: () => Group;
  /** Fields of the body that the form does not ask for, and why. */
  readonly unasked?: Readonly<Record<string, string>>;
}

const HAS_NONE = 'chosen by pressing a button, not typed';
const PARTS_OF_PRICES = { longContext: 'next', extra: 'own fields', tiers: 'tier-rows.spec.ts' };
const accountPrice = (): Group => new AccountPriceForm({ modelId: '', prices: null }).group;

const FORMS: readonly FormCase[] = [
  {
    schema: 'RegistrationCreate',
    make: () => new RegisterForm(api, session, () => true).group,
    unasked: {
      language: 'the language the console is shown in',
      captchaToken: 'comes from the widget of the check for robots',
      memberInvitationToken: 'is in the link of an invitation, below',
    },
  },
  ...memberFormCases(api, session),
  { schema: 'SessionCreate', make: () => new LogInForm(session).group },
  { schema: 'MailRequest', make: () => new ForgotPasswordForm(api).group },
  {
    schema: 'PasswordResetConfirmation',
    make: () => new ResetPasswordForm(api, 'token').group,
    unasked: { token: 'stands in the link' },
  },
  { schema: 'PasswordChange', make: () => new PasswordForm(api).group },
  { schema: 'SecondFactorCreate', make: () => setup.passwordGroup },
  { schema: 'SecondFactorConfirmation', make: () => setup.codeGroup },
  { schema: 'SecondFactorProof', make: () => new SecondFactorProofForm(api, 'renew').group },
  { schema: 'AccessTokenCreate', make: () => new TokenForm().group },
  {
    schema: 'AccountPreferencesUpdate',
    make: () => new AccountForm(api, { value: views.account, etag: '"1"' }).group,
  },
  { schema: 'KeyCreate', make: () => new KeyForm().group },
  { schema: 'RedemptionCreate', make: () => new RedeemForm(api).group },
  {
    schema: 'OrderCreate',
    make: () => new TopUpForm(api, new OperationKeys(), () => undefined, money).group,
    unasked: { kind: HAS_NONE, planId: HAS_NONE },
  },
  { schema: 'AccountCreate', make: () => new AccountCreateForm().group },
  { schema: 'AccountUpdate', make: () => new AccountEditForm(views.account).group },
  { schema: 'EmailChange', make: () => new EmailForm().group },
  { schema: 'CreditCreate', make: () => new CreditForm().group },
  { schema: 'SubscriptionGrant', make: () => new GrantForm().group },
  {
    schema: 'SubscriptionAdminUpdate',
    make: () => new SubscriptionForm(views.subscription).group,
    unasked: { status: HAS_NONE },
  },
  {
    schema: 'ChannelCreate',
    make: () => new ChannelForm().group,
    unasked: {
      models: 'ticked among those of the upstream',
      newModels: 'ticked among those of the upstream, tested in offers.spec.ts',
      sellInGroupIds: 'a choice of groups',
    },
  },
  {
    schema: 'UpstreamPricesUpdate',
    make: () => new CostFactorForm().group,
    unasked: { models: 'the form of PriceCreate for each model' },
  },
  { schema: 'GroupCreate', make: () => new GroupForm().group },
  { schema: 'GroupAccountsCreate', make: () => new GroupAccountForm().group },
  {
    schema: 'ModelCreate',
    make: () => new ModelForm().group,
    unasked: { prices: 'set in the dialog of prices' },
  },
  { schema: 'PriceCreate', make: () => new PriceForm(null).group, unasked: PARTS_OF_PRICES },
  {
    schema: 'AccountPriceCreate',
    make: accountPrice,
    unasked: { ...PARTS_OF_PRICES, modelId: 'of the model that is chosen' },
  },
  { schema: 'AccountPriceEnd', make: accountPrice },
  {
    schema: 'LongContextCreate',
    make: longContextOfPrice,
    unasked: { extra: 'fields of its own' },
  },
  {
    schema: 'PlanCreate',
    make: () => new PlanForm().group,
    unasked: { allowances: 'one field for each window, tested below' },
  },
  {
    schema: 'RedemptionBatchCreate',
    make: () => new BatchForm().group,
    unasked: { planId: 'asked for codes of a plan, below' },
  },
  {
    schema: 'RedemptionBatchCreate',
    make: batchOfPlan,
    unasked: { amountUsd: 'asked for codes of money, above' },
  },
  { schema: 'KeyBatchCreate', make: () => new KeyBatchForm({ forAccount: false }).group },
  { schema: 'KeyBatchAdminCreate', make: () => new KeyBatchForm({ forAccount: true }).group },
  { schema: 'InvitationCodeCreate', make: () => new InvitationForm().group },
  { schema: 'RefundCreate', make: () => new RefundForm(views.order).group },
  { schema: 'AccountingSettingsUpdate', make: () => new AccountingForm(accountingSettings).group },
  {
    schema: 'BillingDetailsUpdate',
    make: () => new BillingDetailsForm(api, { name: '', address: '', taxId: '' }).group,
  },
  {
    schema: 'SavedViewCreate',
    make: () => new ViewForm().group,
    unasked: { list: 'the page', query: 'the filters of the page' },
  },
  { schema: 'SettingsUpdate', make: () => new SettingsForm(views.settings, t).group },
  {
    schema: 'AlertTargetCreate',
    make: () => new AlertTargetForm(undefined, 'en', 'telegram').group,
    unasked: { signingSecret: 'of other chats' },
  },
  {
    schema: 'SignOnProviderCreate',
    make: () => new ProviderForm().group,
    unasked: { domains: 'rows of AccessForm', rules: 'rows of AccessForm' },
  },
  { schema: 'NoticeSettingsUpdate', make: () => new NoticesForm(api, NOTICE_DEFAULTS).group },
];

/** A rule asks for what its kind compares with. */
function alertRuleCase(kind: AlertKind): FormCase {
  const asked: readonly string[] = TERMS_ASKED[kind];
  const others = Object.keys(AlertTerms.properties).filter((field) => !asked.includes(field));
  return {
    schema: 'AlertRuleCreate',
    make: () => {
      const { controls, group } = new AlertRuleForm(undefined, kind);
      controls.whose.setValue('one');
      return group;
    },
    unasked: Object.fromEntries(others.map((field) => [field, 'of other kinds of rules'])),
  };
}

function propertiesOf(schema: SchemaName): [string, TSchema][] {
  const described: TSchema & { properties?: Record<string, TSchema> } = ADMIN_SCHEMAS[schema];
  return Object.entries(described.properties ?? {});
}

function required(schema: SchemaName): readonly string[] {
  const { required: names = [] } = ADMIN_SCHEMAS[schema] as { readonly required?: string[] };
  return names;
}

/** A control shows text, or a list where several are chosen. */
function show(control: FormControl<unknown>, value: unknown): void {
  if (Array.isArray(control.value)) control.setValue(Array.isArray(value) ? value : [value]);
  else control.setValue(Array.isArray(value) ? value.map(String).join('\n') : String(value));
}

function controlOf(form: FormCase, field: string): FormControl<unknown> {
  const control = form.make().controls[field];
  if (!(control instanceof FormControl)) throw new Error(`${form.schema} has no field ${field}`);
  return control;
}

const FIELDS = [...FORMS, ...ALERT_KINDS.map(alertRuleCase)].flatMap((form) =>
  propertiesOf(form.schema)
    .filter(([field]) => form.unasked?.[field] === undefined)
    .map(([field, schema]) => ({ form, field, schema, name: `${form.schema}.${field}` })),
);

const BREACHES = FIELDS.flatMap(({ form, field, schema, name }) =>
  badValues(schema).map((bad) => ({ form, field, name, ...bad })),
);

describe('Every form', () => {
  test.each(FIELDS)('has a field for $name', ({ form, field }) => {
    expect(controlOf(form, field)).toBeInstanceOf(FormControl);
  });

  test.each(BREACHES)('says what is wrong with $name that breaks $rule', (breach) => {
    const control = controlOf(breach.form, breach.field);
    show(control, breach.value);
    const words = faultWords(control.errors, t);
    expect(words).not.toBe('');
    // "This is not valid" helps nobody: every rule has words of its own.
    expect(words).not.toBe(t('rule.form'));
    expect(faultWords(control.errors, tChinese)).not.toBe(tChinese('rule.form'));
  });

  const demanded = FIELDS.filter(({ form, field }) => required(form.schema).includes(field));
  test.each(demanded)('demands $name, as the API does', ({ form, field }) => {
    const control = controlOf(form, field);
    if (control.validator === null) {
      // A choice always has a value.
      expect(control.value).not.toBe('');
      return;
    }
    control.setValue(
      Array.isArray(control.value) ? [] : '  '.slice(field.includes('assword') ? 2 : 0),
    );
    expect(faultWords(control.errors, t)).toBe(t('rule.required'));
  });
});

test('Every body that the API takes has a form or a reason why not', () => {
  const formed = new Set<string>(FORMS.map(({ schema }) => schema));
  const bodies = Object.keys(ADMIN_ROUTES).flatMap((id) => {
    const route = ADMIN_ROUTES[id as RouteId];
    if (!('body' in route)) return [];
    const body: TSchema = route.body;
    return Object.entries<TSchema>(ADMIN_SCHEMAS).flatMap(([name, schema]) =>
      schema === body ? [name as SchemaName] : [],
    );
  });
  expect(bodies.length).toBeGreaterThan(30);
  const missing = bodies.filter((name) => !formed.has(name) && WITHOUT_FORM[name] === undefined);
  expect(missing).toEqual([]);
});
