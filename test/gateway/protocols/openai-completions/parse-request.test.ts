import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../../gateway/platform/errors/refusal.ts';
import { countPrompt } from '../../../../gateway/protocols/openai-completions/from-client/count-prompt.ts';
import {
  parseRequest,
  type CompletionRequest,
} from '../../../../gateway/protocols/openai-completions/from-client/parse-request.ts';
import { passThrough } from '../../../../gateway/protocols/openai-completions/pass-through/pass-through.ts';
import { REQUEST_LIMITS, type Target } from '../../../../gateway/protocols/protocol.ts';
import { headFor } from '../../../support/clients/request-head.ts';
import { targetOf } from '../../../support/upstreams/target.ts';

const HEAD = headFor('completions');

function tried(fields: object): CompletionRequest | Refusal {
  const body = { model: 'public', prompt: 'Once upon', ...fields };
  return parseRequest(Buffer.from(JSON.stringify(body)), HEAD, REQUEST_LIMITS);
}

function parse(fields: object = {}): CompletionRequest {
  const request = tried(fields);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function upstream(fields: object, target: Partial<Target> = {}): unknown {
  const encoded = passThrough.encode(parse(fields), targetOf(target));
  if (isRefusal(encoded)) throw new Error(encoded.message);
  return JSON.parse(encoded.body.toString());
}

function count(fields: object): number {
  const steps = countPrompt('gpt-4o', parse(fields).bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('a completions request', () => {
  it('has the default limit, which is held for and sent', () => {
    expect(parse()).toMatchObject({ maxOutputTokens: 16, choices: 1, stream: false });
    expect(upstream({})).toEqual({ model: 'upstream', prompt: 'Once upon', max_tokens: 16 });
    expect(upstream({ max_tokens: null })).toMatchObject({ max_tokens: 16 });
    expect(upstream({ max_tokens: 0 })).toMatchObject({ max_tokens: 0 });
    expect(upstream({ max_tokens: 9 }, { outputTokensCap: 5 })).toMatchObject({ max_tokens: 5 });
  });

  it.each([
    [{ n: 2 }, 2, 2],
    [{ n: 2, best_of: 5 }, 5, 2],
    [{ prompt: ['a', 'b', 'c'], n: 2 }, 6, 6],
    [{ prompt: ['a', 'b', 'c'], best_of: 4 }, 12, 3],
    [{ prompt: [1, 2, 3] }, 1, 1],
    [{ prompt: [[1, 2], [3]] }, 2, 2],
  ])('is held for all candidates that %j makes', (fields, choices, completions) => {
    expect(parse(fields)).toMatchObject({ choices, completions });
  });

  it('asks for usage on streams, and sends no stream options without one', () => {
    expect(upstream({ stream: true })).toMatchObject({ stream_options: { include_usage: true } });
    expect(upstream({ stream_options: {} })).not.toHaveProperty('stream_options');
    expect(parse({ stream: true, stream_options: { include_usage: true } }).includeUsage).toBe(
      true,
    );
  });

  it('keeps what cannot be paid for from the upstream, and passes the rest', () => {
    expect(upstream({ max_tokens: 1, service_tier: 'priority', min_p: 0.1, suffix: 's' })).toEqual({
      model: 'upstream',
      prompt: 'Once upon',
      max_tokens: 1,
      min_p: 0.1,
      suffix: 's',
    });
  });

  it.each([
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: ['a', 1] }, 'prompt[1]'],
    [{ prompt: [[1], []] }, 'prompt[1]'],
    [{ prompt: [1, 2.5] }, 'prompt[1]'],
    [{ prompt: Array.from({ length: 30 }, () => 'a'), n: 100 }, 'prompt'],
    [{ model: undefined }, 'model'],
    [{ n: 0 }, 'n'],
    [{ best_of: 129 }, 'best_of'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ max_completion_tokens: 5 }, 'max_completion_tokens'],
    [{ echo: 'yes' }, 'echo'],
    [{ suffix: 1 }, 'suffix'],
    [{ MAX_TOKENS: 5 }, 'max_tokens'],
  ])('is refused by name: %j', (fields, param) => {
    expect(tried(fields)).toMatchObject({ param });
  });

  it('is told where a chat request belongs', () => {
    expect(tried({ prompt: undefined, messages: [] })).toMatchObject({
      message: expect.stringContaining('/v1/chat/completions') as unknown,
    });
  });

  it('counts text and tokens, and never more than its bound', () => {
    expect(count({ prompt: 'Once upon a time' })).toBe(4);
    expect(count({ prompt: ['Once upon a time', 'Once upon'] })).toBe(6);
    expect(count({ prompt: [1, 2, 3] })).toBe(3);
    expect(count({ prompt: [[1, 2, 3], [4]] })).toBe(4);
    expect(count({ suffix: ' upon' })).toBe(3);
    for (const prompt of ['x', 'Once upon a time', [7, 8, 9]]) {
      expect(count({ prompt })).toBeLessThanOrEqual(parse({ prompt }).promptTokensBound);
    }
  });
});
