import { expect, it } from 'vitest';
import { ChannelHealth } from '../../../../gateway/data-plane/routing/channel-health.ts';
import { judgeAnswer } from '../upstream/support/judge-answer.ts';

it('a model that the channel does not have takes none of its other models from anybody', () => {
  let nowMs = 1_000_000;
  const health = new ChannelHealth(() => nowMs);
  for (let count = 0; count < 10; count += 1) health.missModel('channel', 'gone');
  expect(health.mayUse('channel', 'gone', null)).toBe(false);
  expect(health.mayUse('channel', 'there', null)).toBe(true);
  expect(health.state('channel')).toBe('closed');
  nowMs += 60_000;
  expect(health.mayUse('channel', 'gone', null)).toBe(true);
});

it.each([
  [404, { error: { message: 'no such model', code: 'model_not_found' } }, 'model'],
  [400, { error: { message: 'Model Not Exist' } }, 'model'],
  [400, { error: { code: '1211' } }, 'model'],
  [400, { code: 20_012 }, 'model'],
  [400, { error: { code: 'model_decommissioned' } }, 'model'],
  [400, { error: { type: 'invalid_model' } }, 'model'],
  [413, { error: { message: 'too large' } }, 'request'],
  [400, { error: { message: 'no' } }, 'request'],
  [401, {}, 'credential'],
  [429, {}, 'credential'],
  [404, '<!doctype html><title>404</title>', 'channel'],
  [500, {}, 'channel'],
])('a %s with %j is about the %s', (status, body, scope) => {
  expect(judgeAnswer(status, body).scope).toBe(scope);
});
