import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { PSK_CLIENT, PSK_SERVER } from '../support/stores/psk-tls.ts';
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
/** OpenAI's client for Node opens sessions over TLS alone: this is the proxy that ends it. */
let proxy: Server;

beforeAll(async () => {
  service = await openRealtimeService();
  const { hostname, port } = new URL(service.gateway.url);
  proxy = createServer(PSK_SERVER, (client) => {
    const gateway = connect(Number(port), hostname);
    client.pipe(gateway).pipe(client);
    client.on('error', () => gateway.destroy());
    gateway.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});

afterAll(async () => {
  proxy.close();
  await service.close();
  await python?.remove();
});

function openSession(apiKey: string): OpenAIRealtimeWS {
  const { port } = proxy.address() as AddressInfo;
  const client = new OpenAI({ baseURL: `https://127.0.0.1:${port}/v1`, apiKey });
  return new OpenAIRealtimeWS({ model: 'voice', options: PSK_CLIENT }, client);
}

describe('OpenAI’s client for Node', () => {
  it('talks, and pays for its reply', async () => {
    const customer = await service.newCustomer();
    const session = openSession(customer.key);
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
    const refused = openSession(poor.key);
    const error = await new Promise<Error>((resolve) => {
      refused.on('error', (one) => resolve(one));
    });
    expect(error.message).toContain('Unexpected server response: 402');
    const customer = await service.newCustomer();
    const session = openSession(customer.key);
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
