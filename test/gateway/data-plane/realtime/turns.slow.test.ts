import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RealtimeVendor } from '../../../support/upstreams/realtime-vendor.ts';
import { REALTIME_USAGE } from '../../../support/upstreams/realtime-reply.ts';
import type { RealtimeClient } from './support/realtime-client.ts';
import {
  openRealtimeService,
  PER_SECOND,
  TURN_COST,
  VOICE_PRICES,
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
const SOUND = Buffer.alloc(48 * 2_000).toString('base64');
const TRANSCRIBING = {
  type: 'session.update',
  session: { type: 'realtime', audio: { input: { transcription: { model: 'hear' } } } },
};

describe('a session', () => {
  it('begins with the upstream’s first event, under the client’s name for the model', async () => {
    const { session: described } = await session.next('session.created');
    expect(described?.model).toBe('voice');
    expect(vendor.heads[0]).toMatchObject({ path: '/v1/realtime?model=gpt-realtime-mini' });
    expect(vendor.heads[0]?.headers['authorization']).toMatch(/^Bearer upstream-/);
    expect(await customer.spent()).toBe(0);
  });

  it('bills each reply by its report: text, sound and images, cached ones apart', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      session.send(ASK);
      await session.next('response.done');
    }
    expect(await customer.spent()).toBe(3 * TURN_COST);
    const records = await customer.records();
    expect(records).toHaveLength(3);
    expect(records[0]).toEqual({
      ...{ model: 'voice', status: 'completed', cost: TURN_COST, estimated: false },
      ...{ input: 1_000, output: 500 },
    });
  });

  it('passes each part of a reply in its order, and not the operator’s limits', async () => {
    session.send(ASK);
    await session.next('session.created');
    await session.next('response.created');
    await session.next('response.output_audio.delta');
    await session.next('response.output_audio_transcript.delta');
    const done = await session.next('response.done');
    expect(done.response?.status).toBe('completed');
    expect(vendor.events.map(({ type }) => type)).toEqual(['response.create']);
  });

  it('charges a report that comes twice once', async () => {
    vendor.reply.reports = 2;
    session.send(ASK);
    await session.next('response.done');
    await session.next('response.done');
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('estimates a reply without a report, and marks it', async () => {
    vendor.reply.usage = null;
    session.send(ASK);
    await session.next('response.done');
    const spent = await customer.spent();
    const [record] = await customer.records();
    // A second of sound is 20 tokens, and the transcript has a few.
    expect(record).toMatchObject({ estimated: true, cost: spent });
    expect(record?.output).toBeGreaterThan(20);
    expect(record?.output).toBeLessThan(30);
    expect(spent).toBeGreaterThan((20 * VOICE_PRICES.audioOutput) / 1_000_000);
  });

  it('bills a reply that the upstream begins by itself', async () => {
    const turnDetection = { input: { turn_detection: { type: 'server_vad' } } };
    session.send({
      type: 'session.update',
      session: { type: 'realtime', audio: turnDetection },
    });
    session.send({ type: 'input_audio_buffer.append', audio: SOUND });
    await session.next('response.done');
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('releases the money of a reply that the upstream refuses', async () => {
    vendor.reply.waitsAt = 'created';
    session.send(ASK);
    await session.next('response.created');
    session.send({ ...ASK, event_id: 'mine' });
    const { error } = await session.next('error');
    expect(error).toMatchObject({
      code: 'conversation_already_has_active_response',
      event_id: 'mine',
    });
    session.send(ASK);
    expect((await session.next('error')).error?.event_id).toBeNull();
    vendor.reply.waitsAt = null;
    vendor.go();
    await session.next('response.done');
    expect(await customer.spent()).toBe(TURN_COST);
    expect(await customer.records()).toHaveLength(1);
  });

  it('bills a reply that the client cancels by its report', async () => {
    vendor.reply.waitsAt = 'delta';
    session.send(ASK);
    await session.next('response.output_audio_transcript.delta');
    session.send({ type: 'response.cancel' });
    const done = await session.next('response.done');
    expect(done.response?.status).toBe('cancelled');
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('charges nothing for a reply that failed with a report of nothing', async () => {
    vendor.reply.usage = { ...REALTIME_USAGE, input_tokens: 0, output_tokens: 0 };
    vendor.reply.soundMs = 0;
    vendor.reply.transcript = '';
    session.send(ASK);
    await session.next('response.done');
    expect(await customer.spent()).toBe(0);
  });

  it('caps an impossible report', async () => {
    vendor.reply.usage = { ...REALTIME_USAGE, input_tokens: 1e12, output_tokens: 1e12 };
    session.send(ASK);
    await session.next('response.done');
    const [record] = await customer.records();
    expect(record).toMatchObject({ input: 128_000, output: 16_000 });
    await customer.spent();
  });
});

describe('the transcript of what the user says', () => {
  beforeEach(async () => {
    session.send(TRANSCRIBING);
    await session.next('session.updated');
  });

  function speak(): void {
    session.send({ type: 'input_audio_buffer.append', audio: SOUND });
    session.send({ type: 'input_audio_buffer.commit' });
  }

  const COMPLETED = 'conversation.item.input_audio_transcription.completed';

  it('is billed at the price of its own model, under the upstream’s name there', async () => {
    speak();
    await session.next(COMPLETED);
    expect(vendor.events[0]).toMatchObject({
      session: { audio: { input: { transcription: { model: 'whisper-1' } } } },
    });
    expect(await customer.spent()).toBe(2 * PER_SECOND);
    expect(await customer.records()).toMatchObject([
      { model: 'hear', status: 'completed', estimated: false },
    ]);
  });

  it('is estimated by the length of the sound where nothing is reported', async () => {
    vendor.transcriptUsage = null;
    speak();
    await session.next(COMPLETED);
    expect(await customer.spent()).toBe(2 * PER_SECOND);
    expect(await customer.records()).toMatchObject([{ model: 'hear', estimated: true }]);
  });

  it('is billed apart from the reply that follows', async () => {
    speak();
    await session.next(COMPLETED);
    session.send(ASK);
    await session.next('response.done');
    expect(await customer.spent()).toBe(2 * PER_SECOND + TURN_COST);
  });

  it('that never comes holds no money for good, and does not end the session', async () => {
    await service.pool.query('update channels set idle_timeout_ms = 1000');
    await service.gateway.republish();
    const own = await customer.open();
    vendor.transcribesNothing = true;
    own.send(TRANSCRIBING);
    own.send({ type: 'input_audio_buffer.append', audio: SOUND });
    own.send({ type: 'input_audio_buffer.commit' });
    await own.next('input_audio_buffer.committed');
    expect(await customer.spent()).toBe(0);
    own.send(ASK);
    await own.next('response.done');
    await own.close();
    await service.pool.query('update channels set idle_timeout_ms = 20000');
    await service.gateway.republish();
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('keeps its price where the upstream refuses a change of its model', async () => {
    const audio = { input: { transcription: { model: 'elsewhere' } } };
    session.send({ type: 'session.update', session: { type: 'realtime', colour: 1, audio } });
    expect((await session.next('error')).error?.code).toBe('unknown_parameter');
    speak();
    await session.next(COMPLETED);
    expect(await customer.spent()).toBe(2 * PER_SECOND);
  });

  it('is refused for a model that the key may not use, and is not asked for', async () => {
    const transcription = { model: 'not-sold' };
    session.send({
      ...TRANSCRIBING,
      event_id: 'u1',
      session: { type: 'realtime', audio: { input: { transcription } } },
    });
    const { error } = await session.next('error');
    expect(error).toMatchObject({
      code: 'model_not_found',
      param: 'session.audio.input.transcription.model',
      event_id: 'u1',
    });
    expect(vendor.events.filter(({ type }) => type === 'session.update')).toHaveLength(1);
  });
});
