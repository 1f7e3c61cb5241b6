import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RealtimeVendor } from '../../../support/upstreams/realtime-vendor.ts';
import type { RealtimeClient } from './support/realtime-client.ts';
import {
  openRealtimeService,
  TURN_COST,
  type RealtimeCustomer,
  type RealtimeService,
} from './support/realtime-service.ts';

let service: RealtimeService;
let vendor: RealtimeVendor;
let customer: RealtimeCustomer;
let session: RealtimeClient;

beforeAll(async () => {
  service = await openRealtimeService();
  vendor = service.first;
});

afterAll(() => service.close());

beforeEach(async () => {
  vendor.reset();
  customer = await service.newCustomer();
  session = await customer.open();
  return () => session.close();
});

const ASK = { type: 'response.create' };
const DELTA = 'response.output_audio_transcript.delta';

/** Makes the gateway look a key up again, as the change feed does. */
function forget({ keyId }: RealtimeCustomer): void {
  service.gateway.send({ kind: 'changed', keyIds: [keyId], accountIds: [] });
}

async function waitInReply(): Promise<void> {
  vendor.reply.waitsAt = 'delta';
  session.send(ASK);
  await session.next(DELTA);
}

describe('the upstream ends the session', () => {
  it.each([
    [1000, 'done'],
    [1008, 'policy'],
    [4001, 'session_expired'],
  ])('and its code %i and reason reach the client', async (code, reason) => {
    vendor.closeSessions(code, reason);
    expect(await session.untilClosed()).toEqual({ code, reason });
  });

  it('without a code, and so it is for the client', async () => {
    vendor.closeSessions(undefined, '');
    expect(await session.untilClosed()).toEqual({ code: 1005, reason: '' });
  });

  it('and a reason has the client’s name for the model', async () => {
    vendor.closeSessions(4000, 'gpt-realtime-mini is overloaded');
    expect(await session.untilClosed()).toEqual({ code: 4000, reason: 'voice is overloaded' });
  });

  it('and what it has delivered of a reply is estimated', async () => {
    await waitInReply();
    vendor.closeSessions(1001, 'restart');
    expect(await session.untilClosed()).toMatchObject({ code: 1001 });
    expect(await customer.spent()).toBeGreaterThan(0);
    expect(await customer.records()).toMatchObject([
      { status: 'upstream_disconnected', estimated: true },
    ]);
  });

  it.each(['asked', 'created'] as const)(
    'without a close, when a reply was %s: nothing is charged',
    async (point) => {
      vendor.reply.cutsAt = point;
      session.send(ASK);
      expect((await session.next('error')).error?.code).toBe('upstream_error');
      expect(await session.untilClosed()).toEqual({ code: 1011, reason: 'upstream_error' });
      expect(await customer.spent()).toBe(0);
    },
  );

  it('without a close, in the middle of a reply: what was delivered is estimated', async () => {
    vendor.reply.cutsAt = 'delta';
    session.send(ASK);
    await session.next(DELTA);
    expect(await session.untilClosed()).toMatchObject({ code: 1011 });
    expect(await customer.spent()).toBeGreaterThan(0);
    expect(await customer.records()).toMatchObject([{ estimated: true }]);
  });

  it('without a close, behind a report: that is the bill', async () => {
    vendor.reply.cutsAt = 'done';
    session.send(ASK);
    await session.next('response.done');
    await session.untilClosed();
    expect(await customer.spent()).toBe(TURN_COST);
  });
});

describe('the client leaves', () => {
  it('in a reply, which is cancelled and billed by its report', async () => {
    await waitInReply();
    await session.close();
    await vendor.until(() => vendor.open === 0);
    expect(vendor.events.map(({ type }) => type)).toContain('response.cancel');
    expect(await customer.spent()).toBe(TURN_COST);
    expect(await customer.records()).toMatchObject([
      { status: 'client_disconnected', estimated: false },
    ]);
  });

  it('in a reply whose report does not come: what was delivered is estimated', async () => {
    vendor.reply.reports = 0;
    await waitInReply();
    await session.close();
    await vendor.until(() => vendor.open === 0);
    expect(await customer.spent()).toBeGreaterThan(0);
    expect(await customer.records()).toMatchObject([
      { status: 'client_disconnected', estimated: true },
    ]);
  });

  it('between replies: nothing more is charged, and the upstream is let go', async () => {
    session.send(ASK);
    await session.next('response.done');
    await session.close();
    await vendor.until(() => vendor.open === 0);
    expect(vendor.closedWith).toBe(1000);
    expect(await customer.spent()).toBe(TURN_COST);
  });
});

describe('the right to a session ends', () => {
  it('with the key, while the session is idle', async () => {
    await service.pool.query(`update keys set status = 'disabled' where id = $1`, [customer.keyId]);
    forget(customer);
    expect((await session.next('error')).error?.code).toBe('api_key_disabled');
    expect(await session.untilClosed()).toEqual({ code: 1008, reason: 'api_key_disabled' });
  });

  it('with the key, in a reply: it is cancelled and billed', async () => {
    await waitInReply();
    await service.pool.query('delete from keys where id = $1', [customer.keyId]);
    forget(customer);
    expect(await session.untilClosed()).toEqual({ code: 1008, reason: 'invalid_api_key' });
    expect(vendor.events.map(({ type }) => type)).toContain('response.cancel');
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('with the list of models of its key', async () => {
    await service.pool.query(`update keys set model_allowlist = '{hear}' where id = $1`, [
      customer.keyId,
    ]);
    forget(customer);
    expect(await session.untilClosed()).toEqual({ code: 1008, reason: 'model_not_allowed' });
  });

  it('with the addresses of its key', async () => {
    await service.pool.query(`update keys set ip_allowlist = '{10.0.0.0/8}' where id = $1`, [
      customer.keyId,
    ]);
    forget(customer);
    expect(await session.untilClosed()).toEqual({ code: 1008, reason: 'ip_not_allowed' });
  });
});

describe('money ends', () => {
  it('between replies: the next one is not asked for, and the session ends', async () => {
    // Enough to begin with, and for one reply.
    const poor = await service.newCustomer(TURN_COST + 10_000);
    const own = await poor.open();
    own.send(ASK);
    await own.next('response.done');
    vendor.events.length = 0;
    own.send({ ...ASK, event_id: 'second' });
    const { error } = await own.next('error');
    expect(error).toMatchObject({ code: 'insufficient_balance', event_id: 'second' });
    expect(await own.untilClosed()).toEqual({ code: 1008, reason: 'insufficient_balance' });
    expect(vendor.events).toEqual([]);
    expect(await poor.spent()).toBe(TURN_COST);
  });

  it('in a long reply: it is cancelled, and the session ends with the reason', async () => {
    const poor = await service.newCustomer(45_000_000);
    const own = await poor.open();
    vendor.reply.waitsAt = 'delta';
    // 2,400 tokens of sound cost more than there is.
    vendor.reply.soundMs = 120_000;
    own.send(ASK);
    expect((await own.next('error')).error?.code).toBe('insufficient_balance');
    expect(await own.untilClosed()).toEqual({ code: 1008, reason: 'insufficient_balance' });
    expect(vendor.events.map(({ type }) => type)).toContain('response.cancel');
    expect(await poor.records()).toMatchObject([{ status: 'funds_exhausted' }]);
    expect(await poor.spent()).toBe(TURN_COST);
  });

  it('and a reply that the upstream begins by itself is cancelled', async () => {
    const poor = await service.newCustomer(TURN_COST + 10_000);
    const own = await poor.open();
    own.send(ASK);
    await own.next('response.done');
    const audio = { input: { turn_detection: { type: 'server_vad' } } };
    own.send({ type: 'session.update', session: { type: 'realtime', audio } });
    vendor.reply.waitsAt = 'created';
    const sound = Buffer.alloc(48 * 2_000).toString('base64');
    own.send({ type: 'input_audio_buffer.append', audio: sound });
    expect(await own.untilClosed()).toEqual({ code: 1008, reason: 'insufficient_balance' });
    await vendor.until(() => vendor.events.some(({ type }) => type === 'response.cancel'));
    expect(await poor.spent()).toBe(TURN_COST);
  });
});

it('a gateway that drains ends sessions behind the reply that is under way', async () => {
  const draining = await openRealtimeService();
  const { first, gateway } = draining;
  const own = await draining.newCustomer();
  const idle = await own.open();
  const talking = await own.open();
  first.reply.waitsAt = 'delta';
  talking.send(ASK);
  await talking.next(DELTA);
  gateway.send({ kind: 'drain', graceMs: 60_000, delayMs: 0 });
  expect((await idle.next('error')).error?.code).toBe('shutting_down');
  expect(await idle.untilClosed()).toMatchObject({ code: 1001 });
  first.go();
  await talking.next('response.done');
  expect((await talking.next('error')).error?.code).toBe('shutting_down');
  expect(await talking.untilClosed()).toMatchObject({ code: 1001 });
  await gateway.close();
  expect(await own.spent()).toBe(TURN_COST);
  await draining.closeBehindGateway();
});
