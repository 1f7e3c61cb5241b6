import { expect, it } from 'vitest';
import { judgeAnswer } from '../upstream/support/judge-answer.ts';

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
  // What one path does not have says nothing of the channel.
  [404, '<!doctype html><title>404</title>', 'model'],
  [405, { detail: 'Method Not Allowed' }, 'model'],
  [501, { error: { message: 'not implemented' } }, 'model'],
  [500, {}, 'channel'],
])('a %s with %j is about the %s', (status, body, scope) => {
  expect(judgeAnswer(status, body).scope).toBe(scope);
});
