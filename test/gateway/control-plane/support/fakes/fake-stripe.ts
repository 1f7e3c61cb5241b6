import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import type { StripeAddress } from '../../../../../gateway/control-plane/admin-deps.ts';

export const WEBHOOK_SECRET = 'whsec_for_tests_only';
export const STRIPE_KEY = 'sk_test_for_tests_only';

interface Checkout {
  id: string;
  object: 'checkout.session';
  client_reference_id: string;
  amount_total: number;
  currency: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  url: string;
}

interface FakeRefund {
  id: string;
  object: 'refund';
  amount: number;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
  metadata: Record<string, string>;
}

/** The part of a dispute that Weir reads. */
interface FakeDispute {
  id: string;
  object: 'dispute';
  amount: number;
  payment_intent: string;
  status: string;
  balance_transactions: { amount: number }[];
  metadata: Record<string, string>;
}

export interface FakeStripe {
  readonly address: StripeAddress;
  readonly checkouts: Map<string, Checkout>;
  readonly refunds: Map<string, FakeRefund>;
  readonly disputes: Map<string, FakeDispute>;
  /** The states of payments, by their ids. */
  readonly intentStatuses: Map<string, 'processing' | 'requires_payment_method' | 'succeeded'>;
  /** The failure that the next requests get. */
  failWith: 'nothing' | 'refusal' | 'outage';
  /** The status of a new refund. */
  refundStatus: FakeRefund['status'];
  /** The checkout of an order, by the order's id. */
  checkoutOf(orderId: string): Checkout;
  /** The card holder pays. */
  pay(orderId: string): Checkout;
  /** The card holder orders a payment that takes days. */
  promise(orderId: string): Checkout;
  close(): Promise<void>;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return new URLSearchParams(text);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function makeCheckout(form: URLSearchParams, number: number): Checkout {
  const id = `cs_test_${String(number)}`;
  return {
    id,
    object: 'checkout.session',
    client_reference_id: form.get('client_reference_id') ?? '',
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    url: `https://checkout.stripe.test/${id}`,
  };
}

/**
 * The part of Stripe's API that Weir talks to, on 127.0.0.1. Idempotency keys work as at Stripe.
 */
export async function startFakeStripe(): Promise<FakeStripe> {
  const answeredBefore = new Map<string, object>();
  let number = 0;

  function make(path: string, form: URLSearchParams): object | undefined {
    number += 1;
    if (path === '/v1/checkout/sessions') {
      const checkout = makeCheckout(form, number);
      fake.checkouts.set(checkout.id, checkout);
      return checkout;
    }
    if (path !== '/v1/refunds') return undefined;
    const refund: FakeRefund = {
      id: `re_test_${String(number)}`,
      object: 'refund',
      amount: Number(form.get('amount')),
      payment_intent: form.get('payment_intent') ?? '',
      status: fake.refundStatus,
      metadata: { weir_refund_id: form.get('metadata[weir_refund_id]') ?? '' },
    };
    fake.refunds.set(refund.id, refund);
    return refund;
  }

  /** A checkout is asked for along with its payment. */
  function withPayment(checkout: Checkout): object {
    const { payment_intent: id } = checkout;
    const status = fake.intentStatuses.get(id ?? '');
    return { ...checkout, payment_intent: id === null ? null : { id, status } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const form = await readForm(request);
    if (fake.failWith === 'outage') {
      response.destroy();
    } else if (fake.failWith === 'refusal') {
      const error = { type: 'invalid_request_error', message: 'No, says Stripe.' };
      send(response, 400, { error });
    } else if (request.method === 'GET' && /^\/v1\/(refunds|disputes)\?/.test(path)) {
      const [url = '', query] = path.split('?');
      const intent = new URLSearchParams(query).get('payment_intent');
      const all = url === '/v1/refunds' ? fake.refunds : fake.disputes;
      const data = [...all.values()].filter((one) => one.payment_intent === intent);
      send(response, 200, { object: 'list', url, has_more: false, data });
    } else if (request.method === 'GET') {
      const id = path.split('?')[0]?.split('/').at(-1) ?? '';
      const checkout = fake.checkouts.get(id);
      const found = checkout === undefined ? fake.refunds.get(id) : withPayment(checkout);
      send(response, found === undefined ? 404 : 200, found ?? { error: { message: 'none' } });
    } else {
      const key = String(request.headers['idempotency-key']);
      const made = answeredBefore.get(key) ?? make(path, form);
      if (made !== undefined) answeredBefore.set(key, made);
      send(response, made === undefined ? 404 : 200, made ?? {});
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeStripe = {
    address: { host: '127.0.0.1', port, protocol: 'http' },
    checkouts: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    intentStatuses: new Map(),
    failWith: 'nothing',
    refundStatus: 'succeeded',
    checkoutOf(orderId) {
      const found = [...fake.checkouts.values()].find((one) => one.client_reference_id === orderId);
      if (found === undefined) throw new Error('no checkout was opened for this order');
      return found;
    },
    pay(orderId) {
      const checkout = fake.promise(orderId);
      checkout.payment_status = 'paid';
      fake.intentStatuses.set(`pi_${checkout.id}`, 'succeeded');
      return checkout;
    },
    promise(orderId) {
      const checkout = fake.checkoutOf(orderId);
      checkout.status = 'complete';
      checkout.payment_intent = `pi_${checkout.id}`;
      fake.intentStatuses.set(checkout.payment_intent, 'processing');
      return checkout;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** A webhook as Stripe would deliver it; `at` and `secret` forge it. */
export function signedEvent(
  type: string,
  object: object,
  options: { readonly at?: number; readonly secret?: string } = {},
): { readonly payload: string; readonly headers: Record<string, string> } {
  const payload = JSON.stringify({
    id: `evt_${type}`,
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? WEBHOOK_SECRET,
    timestamp: Math.floor((options.at ?? Date.now()) / 1000),
  });
  return {
    payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  };
}
