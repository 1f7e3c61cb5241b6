import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEMBER_ROLES, MEMBER_PERMISSIONS } from '@weir/shared/api/permissions';
import { join, openCompany, type Company } from '../support/company.ts';
import type { FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { ISSUER, issueInvoices } from '../support/invoicing.ts';
import { createStripeFixture, paidOrder } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;
let company: Company;
let invoiceId: string;

const DETAILS = { name: 'A company', address: 'A street', taxId: 'A number' };

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
  await issueInvoices(fixture, admin);
  company = await openCompany(fixture, await fixture.user());
  await paidOrder({ fixture, stripe }, company.owner);
  const { data } = (await fixture.ask('listOwnInvoices', { as: company.owner })).reply;
  invoiceId = data[0]?.id ?? '';
});
afterAll(() => close());

const OWN = ['listOwnInvoices', 'printOwnInvoice', 'getBillingDetails'] as const;

describe.each(MEMBER_ROLES.filter((role) => role !== 'owner'))(
  'a member with the role %s',
  (role) => {
    const reads = MEMBER_PERMISSIONS[role].includes('billing.read');
    const manages = MEMBER_PERMISSIONS[role].includes('billing.manage');
    let person: Person;
    beforeAll(async () => {
      person = await fixture.user();
      await join(fixture, company, { person, role });
    });

    it(`${reads ? 'sees' : 'does not see'} the invoices of the account`, async () => {
      for (const route of OWN) {
        const params = route === 'printOwnInvoice' ? { params: { invoiceId } } : {};
        const asked = await fixture.ask(route, { as: person, ...params });
        expect(asked.status, route).toBe(reads ? 200 : 403);
      }
    });

    it(`${manages ? 'changes' : 'does not change'} the billing details`, async () => {
      const asked = await fixture.ask('updateBillingDetails', { as: person, body: DETAILS });
      expect(asked.status).toBe(manages ? 200 : 403);
    });
  },
);

it('billing details that were changed are in the audit log of the account', async () => {
  await fixture.ask('updateBillingDetails', { as: company.owner, body: DETAILS });
  const { data } = (await fixture.ask('listAccountAuditEntries', { as: company.owner })).reply;
  expect(data[0]).toMatchObject({ action: 'updateBillingDetails', after: DETAILS });
});

it('an invoice of another account is not found, and neither is one that never was', async () => {
  const stranger = await fixture.user();
  for (const id of [invoiceId, '00000000-0000-7000-8000-000000000000']) {
    const asked = await fixture.ask('printOwnInvoice', { as: stranger, params: { invoiceId: id } });
    expect(asked.problem).toMatchObject({ status: 404, code: 'not_found' });
  }
  expect((await fixture.ask('listOwnInvoices', { as: stranger })).reply.data).toEqual([]);
});

it('text that cannot be printed is refused where it is entered', async () => {
  const body = { ...DETAILS, name: '한국 Ltd 🙂' };
  const refused = await fixture.ask('updateBillingDetails', { as: company.owner, body });
  expect(refused.problem).toMatchObject({ code: 'invalid_value', errors: [{ field: 'name' }] });
  expect(refused.problem.detail).toContain('한 국 🙂');
});

it('an address that does not fit on the page is refused', async () => {
  const body = { ...DETAILS, address: 'a line\n'.repeat(8) };
  const refused = await fixture.ask('updateBillingDetails', { as: company.owner, body });
  expect(refused.problem).toMatchObject({ errors: [{ field: 'address' }] });
});

it.each([
  ['issuerName', { issuerName: ' ' }],
  ['issuerAddress', { issuerAddress: '' }],
  ['taxLabel', { taxLabel: '' }],
  ['timeZone', { timeZone: 'Mars/Olympus' }],
])('an operator is told that %s is missing or wrong', async (field, changes) => {
  const body = { ...ISSUER, ...changes };
  const asked = await fixture.ask('updateAccountingSettings', {
    as: admin,
    anyVersion: true,
    body,
  });
  expect(asked.problem).toMatchObject({ code: 'invalid_value', errors: [{ field }] });
});

it('an erased account leaves its invoices and loses its billing details', async () => {
  const owner = await fixture.user();
  await fixture.ask('updateBillingDetails', { as: owner, body: { ...DETAILS, name: 'Erika M.' } });
  await paidOrder({ fixture, stripe }, owner);
  const { accountId } = owner;
  await fixture.ask('deleteAccount', { as: admin, params: { accountId } });
  const { data } = (await fixture.ask('listInvoices', { as: admin, query: { accountId } })).reply;
  expect(data).toMatchObject([{ customerName: 'Erika M.' }]);
  const { rows } = await fixture.pool.query(
    `select from billing_details where account_id = $1
     union all select from audit_entries where after::text like '%Erika M.%'`,
    [accountId],
  );
  expect(rows).toEqual([]);
});
