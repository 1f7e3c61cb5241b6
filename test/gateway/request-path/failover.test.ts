import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTill, type Till } from '../settlement/support/till.ts';

/** More than it takes to rest a channel. */
const REQUESTS = 6;

let till: Till;

beforeAll(async () => {
  till = await openTill();
});

afterAll(async () => {
  await till.close();
});

it('tells a client of its mistake in an error event under 200, and rests no channel for it', async () => {
  const customer = await till.newCustomer();
  const error = { code: 400, type: 'BadRequestError', message: 'no such tool' };
  till.first.behave('*', { kind: 'reply', end: 'error_event', cutAfterEvents: 0, error });
  for (let sent = 1; sent <= REQUESTS; sent += 1) {
    const reply = await customer.send({ stream: true });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { message: 'no such tool' } });
    expect(till.first.requests).toHaveLength(sent);
  }
  expect(till.second.requests).toHaveLength(0);
});
