import type { RequestPage, RequestView } from '@weir/shared/watch/requests';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api';
import { key, NOW } from '../../testing/views';
import { RequestArrival } from './request-arrival';

const REQUEST: RequestView = {
  requestId: '',
  createdAt: NOW,
  keyId: key.id,
  keyName: key.name,
  groupId: key.groupId,
  groupName: key.groupName,
  model: 'gpt-6-luna',
  protocol: 'openai-chat',
  status: 'completed',
  httpStatus: 200,
  code: null,
  message: null,
  stream: true,
  attempts: 1,
  durationMs: 900,
  firstByteMs: 200,
  inputTokens: 10,
  outputTokens: 5,
  costUsd: '0.001',
  requests: 1,
  phases: { holdFromMs: null, heldMs: null, attemptFromMs: null, settleFromMs: null },
};

function page(...requestIds: string[]): RequestPage {
  return { data: requestIds.map((requestId) => ({ ...REQUEST, requestId })), nextCursor: null };
}

describe('The requests of a key whose tool is set up', () => {
  test('are waited for from the first one on', async () => {
    const api = new FakeApi();
    const arrival = new RequestArrival(api, key.id);
    expect(arrival.unknown()).toBe(true);
    api.answer({ listOwnRequests: () => page() });
    await arrival.look();
    expect(api.callsOf('listOwnRequests')[0]).toMatchObject({ query: { keyId: key.id, limit: 1 } });
    expect(arrival.unknown()).toBe(false);
    expect(arrival.wasUsed()).toBe(false);
    expect(arrival.arrived()).toBeUndefined();
    api.answer({ listOwnRequests: () => page('first') });
    await arrival.look();
    expect(arrival.arrived()?.requestId).toBe('first');
  });

  test('are new ones alone: what the key did before proves nothing', async () => {
    const api = new FakeApi();
    const arrival = new RequestArrival(api, key.id);
    api.answer({ listOwnRequests: () => page('old') });
    await arrival.look();
    await arrival.look();
    expect(arrival.wasUsed()).toBe(true);
    expect(arrival.arrived()).toBeUndefined();
    api.answer({ listOwnRequests: () => page('new') });
    await arrival.look();
    expect(arrival.arrived()?.requestId).toBe('new');
  });
});
