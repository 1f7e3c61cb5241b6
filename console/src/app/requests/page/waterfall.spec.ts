import { expect, it } from 'vitest';
import type { RequestRow } from '../requests-state';
import { placeOf, waterfallOf } from './waterfall';

const REQUEST: RequestRow = {
  ...{ requestId: 'r', createdAt: '2026-03-04T12:00:00.000Z', keyId: null, keyName: null },
  ...{ groupId: null, groupName: null, model: 'm', protocol: 'openai-chat', status: 'completed' },
  ...{ httpStatus: 200, code: null, message: null, stream: true, attempts: 1, durationMs: 900 },
  ...{ firstByteMs: 300, inputTokens: 1, outputTokens: 1, costUsd: '0', requests: 1 },
  phases: { holdFromMs: 2, heldMs: 5, attemptFromMs: 6, settleFromMs: 890 },
};

const shown = (change: Partial<RequestRow>) =>
  waterfallOf({ ...REQUEST, ...change }).spans.map(({ kind, fromMs, toMs }) => [
    kind,
    fromMs,
    toMs,
  ]);

const attempt = (number: number, startedMs: number | null, durationMs: number) => ({
  ...{ number, startedMs, durationMs, channelId: 'c', channelName: 'first', place: null },
  ...{ upstreamStatus: 502, failure: null, message: 'words' },
});

it('shows the steps of a request that was served, one after the other', () => {
  expect(shown({})).toEqual([
    ['receive', 0, 2],
    ['hold', 2, 5],
    ['upstream', 6, 300],
    ['reply', 300, 890],
    ['settle', 890, 900],
  ]);
});

it('shows each attempt that failed where it was, and the one that served', () => {
  const failedAttempts = [attempt(1, 6, 90), attempt(2, 100, 50)];
  const phases = { ...REQUEST.phases, attemptFromMs: 152 };
  expect(shown({ failedAttempts, phases, attempts: 3 }).slice(2, 5)).toEqual([
    ['failed', 6, 96],
    ['failed', 100, 150],
    ['upstream', 152, 300],
  ]);
});

it('shows no reply where the last attempt failed, and no step that was not reached', () => {
  const failedAttempts = [attempt(1, 6, 90)];
  const kinds = shown({ failedAttempts, firstByteMs: null }).map(([kind]) => kind);
  expect(kinds).toEqual(['receive', 'hold', 'failed', 'settle']);
  const none = { holdFromMs: null, heldMs: null, attemptFromMs: null, settleFromMs: null };
  expect(shown({ phases: none, firstByteMs: null })).toEqual([['receive', 0, 900]]);
  const refused = { ...none, holdFromMs: 3 };
  expect(shown({ phases: refused, firstByteMs: null })).toEqual([
    ['receive', 0, 3],
    ['hold', 3, 900],
  ]);
});

it('keeps every bar on the axis, also of a clock that was set', () => {
  expect(placeOf({ fromMs: 450, toMs: 1_800 }, 900)).toEqual({ left: 50, width: 50 });
  expect(placeOf({ fromMs: 30, toMs: 10 }, 100)).toEqual({ left: 30, width: 0 });
});
