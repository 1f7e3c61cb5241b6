import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import {
  openRealtimeService,
  TURN_COST,
  type RealtimeService,
} from '../gateway/data-plane/realtime/support/realtime-service.ts';
import { fetchPython } from './support/fetch-python.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const FLOW = fileURLToPath(new URL('support/realtime_flow.py', import.meta.url));
const REPLY = [
  ...['session.created', 'session.updated', 'response.created', 'response.output_audio.delta'],
  ...['response.output_audio_transcript.delta', 'response.done'],
];

const python = await fetchPython(['openai[realtime]==3.57.0']);
let service: RealtimeService;

beforeAll(async () => {
  service = await openRealtimeService();
});

afterAll(async () => {
  await service.close();
  await python?.remove();
});

describe.each([
  ['ws', OpenAIRealtimeWS],
  ['WebSocket', OpenAIRealtimeWebSocket],
])('OpenAI’s client for Node over %s', (_, Realtime) => {
  it('talks, and pays for its reply', async () => {
    const customer = await service.newCustomer();
    const client = new OpenAI({ baseURL: `${service.gateway.url}/v1`, apiKey: customer.key });
    const session = new Realtime({ model: 'voice', dangerouslyAllowBrowser: true }, client);
    const types: string[] = [];
    const done = new Promise<void>((resolve, reject) => {
      session.on('event', ({ type }) => {
        types.push(type);
        if (type === 'session.created') {
          session.send({
            type: 'session.update',
            session: { type: 'realtime', instructions: 'Be short.' },
          });
        }
        if (type === 'session.updated') session.send({ type: 'response.create' });
        if (type === 'response.done') resolve();
      });
      session.on('error', reject);
    });
    await done;
    session.close({ code: 1000, reason: 'enough' });
    expect(types).toEqual(REPLY);
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('shows a refused upgrade, and an event that was refused, as errors', async () => {
    const poor = await service.newCustomer(1);
    const client = new OpenAI({ baseURL: `${service.gateway.url}/v1`, apiKey: poor.key });
    const refused = new Realtime({ model: 'voice', dangerouslyAllowBrowser: true }, client);
    const error = await new Promise<Error>((resolve) => {
      refused.on('error', (one) => resolve(one));
    });
    expect(error).toBeInstanceOf(Error);
    const customer = await service.newCustomer();
    const own = new OpenAI({ baseURL: `${service.gateway.url}/v1`, apiKey: customer.key });
    const session = new Realtime({ model: 'voice', dangerouslyAllowBrowser: true }, own);
    const said = new Promise<string>((resolve) => {
      session.on('error', ({ message }) => resolve(message));
    });
    session.on('session.created', () => {
      session.send({ type: 'session.update', session: { type: 'realtime', model: 'elsewhere' } });
    });
    expect(await said).toContain('The model of a session cannot be changed');
    session.close();
  });
});

describe.runIf(python !== undefined)('OpenAI’s client for Python', () => {
  it('talks, pays for its reply, and throws for a wrong key', async () => {
    const customer = await service.newCustomer();
    const came: unknown = JSON.parse(
      (await python?.run('python', [FLOW, service.gateway.url, customer.key])) ?? '',
    );
    expect(came).toMatchObject({
      types: expect.arrayContaining(REPLY) as unknown,
      input: 1_000,
      output: 500,
      refused: ['InvalidStatus', 401],
    });
    expect(await customer.spent()).toBe(TURN_COST);
  });
});
