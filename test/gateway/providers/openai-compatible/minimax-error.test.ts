import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../data-plane/upstream/support/judge-answer.ts';
import { FLAGGED, judgeAnswer } from '../../data-plane/upstream/support/judge-answer.ts';

/** A reply of MiniMax to a request that has failed there. */
function reply(number: number, words: string): Buffer {
  const told = { status_code: number, status_msg: words };
  const body = { id: '03e1', choices: null, object: 'chat.completion', base_resp: told };
  return Buffer.from(JSON.stringify(body));
}

function judged(number: number, words: string) {
  return verdictOf({ failed: 'bad_reply', detail: '', body: reply(number, words) });
}

const LIMITED = {
  health: 'limited',
  failover: true,
  refusal: { refused: 'upstream_rate_limited' },
};
const OURS = { health: 'failed', failover: true, scope: 'credential' };
const ASKED = { health: 'unknown', failover: false };

describe('an error of MiniMax under a 200', () => {
  it.each([
    [1002, 'rate limit', LIMITED],
    [2056, 'usage limit exceeded', LIMITED],
    [1004, 'login fail', OURS],
    [2049, 'invalid api key', OURS],
    [1008, 'insufficient balance', OURS],
    [1026, 'input new_sensitive', FLAGGED],
    [1027, 'output new_sensitive', FLAGGED],
    [1039, 'token limit', { ...ASKED, refusal: { refused: 'context_length_exceeded' } }],
    [2013, 'invalid params', { ...ASKED, refusal: { refused: 'upstream_rejected' } }],
  ])('is judged as what it is: %d', (number, words, verdict) => {
    expect(judged(number, words)).toMatchObject(verdict);
  });

  it.each([1000, 1033, 9_999])('rests the channel when it is the server’s own: %d', (number) => {
    const verdict = judged(number, 'unknown error');
    expect(verdict).toMatchObject({ health: 'failed', failover: true });
    expect(verdict.scope).toBe('channel');
  });

  it('tells the client what to change', () => {
    const { message } = judged(2013, 'invalid params, tool result is missing').refusal;
    expect(message).toBe('invalid params, tool result is missing');
  });
});

describe('an error of MiniMax with a status', () => {
  it.each([
    ['bad_request_error', 'invalid params, context window exceeds limit (2013)', 400],
    ['insufficient_balance_error', 'insufficient balance (1008)', 429],
  ])('is judged like one in a stream, which names the status: %s', (type, message, status) => {
    const error = { type, message, http_code: String(status) };
    const inStream = Buffer.from(JSON.stringify({ type: 'error', error }));
    const verdict = judgeAnswer(status, { type: 'error', error });
    expect(verdictOf({ failed: 'bad_reply', detail: '', body: inStream })).toEqual(verdict);
    expect(verdict).toMatchObject(
      status === 429 ? OURS : { ...ASKED, refusal: { refused: 'context_length_exceeded' } },
    );
  });
});
