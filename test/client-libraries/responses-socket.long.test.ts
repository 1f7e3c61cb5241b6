import OpenAI from 'openai';
import type { ResponsesServerEvent } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  openResponsesService,
  type ResponsesService,
} from '../gateway/data-plane/request-path/support/responses-service.ts';
import { HANG_MS } from '../support/clocks/hang.ts';

vi.setConfig({ testTimeout: HANG_MS });

type CreateEvent = Extract<Parameters<ResponsesWS['send']>[0], { type: 'response.create' }>;

let service: ResponsesService;

beforeAll(async () => {
  service = await openResponsesService();
});

afterAll(() => service.close());

function open(apiKey: string): ResponsesWS {
  return new ResponsesWS(new OpenAI({ baseURL: `${service.url}/v1`, apiKey }));
}

/** Sends a request, and returns the events of its reply. */
async function ask(
  socket: ResponsesWS,
  asked: Omit<CreateEvent, 'type'>,
): Promise<ResponsesServerEvent[]> {
  const events: ResponsesServerEvent[] = [];
  const reply = new Promise<void>((resolve, reject) => {
    const heard = (event: ResponsesServerEvent): void => {
      events.push(event);
      if (event.type !== 'response.completed') return;
      socket.off('event', heard);
      socket.off('error', reject);
      resolve();
    };
    socket.on('event', heard);
    socket.on('error', reject);
  });
  socket.send({ type: 'response.create', ...asked });
  await reply;
  return events;
}

describe('the socket of OpenAI’s client for Node', () => {
  it('asks, goes on from the reply before, and pays for both', async () => {
    const customer = await service.newCustomer();
    const socket = open(customer.key);
    const first = await ask(socket, { model: 'over-chat', store: false, input: 'Hi' });
    expect(first[0]?.type).toBe('response.created');
    expect(first.map(({ type }) => type)).toContain('response.output_text.delta');
    const done = first.at(-1);
    if (done?.type !== 'response.completed') throw new Error('it ends otherwise');
    const { id, usage } = done.response;
    const second = await ask(socket, {
      ...{ model: 'over-chat', store: false, input: 'And then?' },
      previous_response_id: id,
    });
    expect(second.at(-1)?.type).toBe('response.completed');
    // The upstream has no memory: it gets what was said before.
    expect(service.chat.requests.at(-1)?.body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
    });
    socket.close();
    expect(usage?.output_tokens).toBeGreaterThan(0);
    expect(await customer.spent()).toBeGreaterThan(0);
  });

  it('shows a refused turn, and an upgrade without a key, as errors', async () => {
    const poor = await service.newCustomer(1);
    const socket = open(poor.key);
    const asked = ask(socket, { model: 'over-chat', input: 'Hi' });
    await expect(asked).rejects.toThrow(/balance/i);
    // The connection goes on.
    await expect(ask(socket, { model: 'none', input: 'Hi' })).rejects.toThrow(/none/);
    socket.close();
    expect(await poor.spent()).toBe(0);
    const refused = open('sk-wrong');
    const error = await new Promise<Error>((resolve) => {
      refused.on('error', resolve);
    });
    expect(error.message).toContain('426');
  });
});
