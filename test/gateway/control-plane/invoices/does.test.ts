import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog } from '../support/catalog.ts';
import { signedEvent, type FakeStripe } from '../support/fakes/fake-stripe.ts';
import type { AdminFixture, Person } from '../support/fixture.ts';
import { issueInvoices, printed, textOfPdf } from '../support/invoicing.ts';
import { makePlan } from '../support/plans.ts';
import { createStripeFixture, deliverTo, paidOrder } from '../support/fakes/stripe-fixture.ts';

let stripe: FakeStripe;
let fixture: AdminFixture;
let close: () => Promise<void>;
let admin: Person;

beforeAll(async () => {
  ({ stripe, fixture, close } = await createStripeFixture());
  admin = await fixture.admin();
  await issueInvoices(fixture, admin);
});
afterAll(() => close());

const paid = (as: Person, body?: object) => paidOrder({ fixture, stripe }, as, body);

async function invoicesOf(as: Person) {
  const { data } = (await fixture.ask('listOwnInvoices', { as })).reply;
  return data.toReversed();
}

async function refund(orderId: string, amountUsd?: string) {
  const body = { reason: 'asked for it', ...(amountUsd === undefined ? {} : { amountUsd }) };
  return fixture.ask('refundOrder', { as: admin, params: { orderId }, body });
}

const YEAR = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', year: 'numeric' });
const year = YEAR.format(new Date());

describe('a paid order', () => {
  it('has an invoice with its tax, which is printed with the data of both sides', async () => {
    const owner = await fixture.user();
    const body = {
      name: 'Łódź & 王 Ltd',
      address: 'ul. Długa 1\n90-001 Łódź',
      taxId: 'PL 5260001246',
    };
    await fixture.ask('updateBillingDetails', { as: owner, body });
    const orderId = await paid(owner);
    const [invoice] = await invoicesOf(owner);
    expect(invoice).toMatchObject({
      kind: 'invoice',
      orderId,
      customerName: 'Łódź & 王 Ltd',
      refersTo: null,
      netUsd: '21.01',
      taxUsd: '3.99',
      grossUsd: '25',
    });
    const file = await printed(fixture, owner, invoice?.id ?? '');
    const text = await textOfPdf(file);
    for (const part of [
      'Invoice',
      invoice?.number ?? '',
      orderId,
      'Wehr GmbH',
      'Am Fluß 1',
      'Tax ID: DE123456789',
      'Łódź & 王 Ltd',
      '90-001 Łódź',
      'Tax ID: PL 5260001246',
      'Prepaid credit for Weir',
      '21.01 USD',
      'VAT 19 %',
      '3.99 USD',
      '25.00 USD',
      'Thank you.',
    ]) {
      expect(text).toContain(part);
    }
    expect(file.equals(await printed(fixture, owner, invoice?.id ?? ''))).toBe(true);
  });

  it('keeps its invoice as it was, whatever is changed afterwards', async () => {
    const owner = await fixture.user();
    await paid(owner);
    const [invoice] = await invoicesOf(owner);
    const before = await printed(fixture, owner, invoice?.id ?? '');
    const body = { name: 'New name', address: '', taxId: '' };
    await fixture.ask('updateBillingDetails', { as: owner, body });
    await issueInvoices(fixture, admin, { issuerName: 'Other GmbH', taxRatePercent: '7' });
    expect((await printed(fixture, owner, invoice?.id ?? '')).equals(before)).toBe(true);
    await expect(
      fixture.pool.query('update invoices set tax_cents = 0, net_cents = gross_cents'),
    ).rejects.toThrow('append-only');
    await expect(fixture.pool.query('delete from invoices')).rejects.toThrow('append-only');
    await paid(owner);
    const [, next] = await invoicesOf(owner);
    expect(next).toMatchObject({ customerName: 'New name', taxUsd: '1.64', netUsd: '23.36' });
    await issueInvoices(fixture, admin);
  });

  it('of a plan names the plan, and in Chinese for a Chinese reader', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId });
    const owner = await fixture.user();
    await fixture.ask('updateOwnUser', { as: owner, body: { language: 'zh-CN' } });
    await paid(owner, { kind: 'plan', planId: plan.id });
    const [invoice] = await invoicesOf(owner);
    const text = await textOfPdf(await printed(fixture, owner, invoice?.id ?? ''));
    expect(text).toContain(plan.name);
    expect(text).toContain('已付总额');
  });

  it('that is delivered 20 times has one invoice', async () => {
    const owner = await fixture.user();
    const order = { kind: 'top_up', amountUsd: '10' };
    const { id } = (await fixture.ask('createOrder', { as: owner, body: order })).reply;
    const event = signedEvent('checkout.session.completed', stripe.pay(id));
    await Promise.all(Array.from({ length: 20 }, () => deliverTo(fixture, event)));
    expect(await invoicesOf(owner)).toHaveLength(1);
  });

  it('has no invoice where the operator issues none', async () => {
    await issueInvoices(fixture, admin, { invoicesEnabled: false });
    const owner = await fixture.user();
    const orderId = await paid(owner);
    await issueInvoices(fixture, admin);
    expect((await refund(orderId)).reply.status).toBe('refunded');
    expect(await invoicesOf(owner)).toEqual([]);
  });
});

describe('a refund', () => {
  it('in parts has credit notes whose tax adds up to that of the invoice', async () => {
    const owner = await fixture.user();
    const orderId = await paid(owner, { kind: 'top_up', amountUsd: '10' });
    for (const part of ['3.33', '3.33', undefined]) await refund(orderId, part);
    const [invoice, ...notes] = await invoicesOf(owner);
    expect(notes.map(({ kind }) => kind)).toEqual(Array(3).fill('credit_note'));
    expect(notes.map(({ grossUsd }) => grossUsd)).toEqual(['3.33', '3.33', '3.34']);
    expect(new Set(notes.map(({ refersTo }) => refersTo))).toEqual(new Set([invoice?.number]));
    const cents = (usd: string | undefined) => Math.round(Number(usd) * 100);
    const sum = (of: 'taxUsd' | 'netUsd') =>
      notes.reduce((total, note) => total + cents(note[of]), 0);
    expect(sum('taxUsd')).toBe(cents(invoice?.taxUsd));
    expect(sum('netUsd')).toBe(cents(invoice?.netUsd));
    const text = await textOfPdf(await printed(fixture, owner, notes[0]?.id ?? ''));
    expect(text).toContain('Credit note');
    expect(text).toContain(`Corrects ${invoice?.number ?? ''}`);
    expect(text).toContain('Refund: Prepaid credit');
  });

  it('has its credit note once the money has gone, and an invoice when it comes back', async () => {
    const owner = await fixture.user();
    const orderId = await paid(owner);
    stripe.refundStatus = 'pending';
    await refund(orderId);
    expect(await invoicesOf(owner)).toHaveLength(1);
    const [made] = [...stripe.refunds.values()].slice(-1);
    if (made === undefined) throw new Error('Stripe was not asked');
    stripe.refundStatus = 'succeeded';
    const say = (status: 'succeeded' | 'failed') =>
      deliverTo(fixture, signedEvent('refund.updated', { ...made, status }));
    await Promise.all([say('succeeded'), say('succeeded')]);
    expect(await invoicesOf(owner)).toHaveLength(2);
    await say('failed');
    await say('failed');
    const [invoice, note, again] = await invoicesOf(owner);
    expect(await invoicesOf(owner)).toHaveLength(3);
    expect(again).toMatchObject({ kind: 'invoice', refersTo: note?.number });
    expect(again).toMatchObject({ taxUsd: invoice?.taxUsd, grossUsd: invoice?.grossUsd });
  });

  it('by the bank of the card has a credit note as well', async () => {
    const owner = await fixture.user();
    const orderId = await paid(owner);
    const dispute = {
      id: `du_${orderId}`,
      object: 'dispute',
      amount: 2500,
      currency: 'usd',
      payment_intent: stripe.checkoutOf(orderId).payment_intent,
      status: 'needs_response',
      balance_transactions: [{ amount: -2500 }],
      metadata: {},
    };
    const event = signedEvent('charge.dispute.funds_withdrawn', dispute);
    await Promise.all([deliverTo(fixture, event), deliverTo(fixture, event)]);
    const back = { ...dispute, status: 'won' };
    await deliverTo(fixture, signedEvent('charge.dispute.funds_reinstated', back));
    const kinds = (await invoicesOf(owner)).map(({ kind }) => kind);
    expect(kinds).toEqual(['invoice', 'credit_note', 'invoice']);
  });
});

describe('numbers', () => {
  it('have no gap in the series of each kind and year', async () => {
    const { rows } = await fixture.pool.query<{ kind: string; count: number; last: number }>(
      `select prefix as kind, count(*)::integer as count, max(sequence) as last from invoices group by 1 order by 1`,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['CN', 'INV']);
    for (const { count, last } of rows) expect(count).toBe(last);
    const { data } = (await fixture.ask('listInvoices', { as: admin })).reply;
    expect(data[0]?.number).toMatch(new RegExp(`^(INV|CN)-${year}-\\d{6}$`));
  });
});
