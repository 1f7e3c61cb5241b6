import { describe, expect, it } from 'vitest';
import { neutralForm } from '../../../../gateway/protocols/bedrock-converse/neutral-form.ts';
import { profileOf } from '../../../../gateway/providers/profiles/profile-of.ts';
import { SseParser } from '../../../../gateway/protocols/sse/sse-parser.ts';
import type { NeutralEvent } from '../../../../gateway/protocols/neutral-form/reply.ts';
import { event, eventsOf, USAGE } from './support/converse.ts';

const COUNTS = { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 };

/** A turn with thinking, text and two calls, as Claude gives it. */
const TURN = [
  event('messageStart', { role: 'assistant', p: 'abcd' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } }),
  event('contentBlockDelta', {
    contentBlockIndex: 0,
    delta: { reasoningContent: { signature: 'SI' } },
  }),
  event('contentBlockDelta', {
    contentBlockIndex: 0,
    delta: { reasoningContent: { signature: 'G=' } },
  }),
  event('contentBlockStop', { contentBlockIndex: 0 }),
  event('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'I will' } }),
  event('contentBlockDelta', { contentBlockIndex: 1, delta: { text: ' look.' } }),
  event('contentBlockStop', { contentBlockIndex: 1 }),
  event('contentBlockStart', {
    contentBlockIndex: 2,
    start: { toolUse: { toolUseId: 'tooluse_1', name: 'look_up' } },
  }),
  event('contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"a"' } } }),
  event('contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: ':"ü"}' } } }),
  event('contentBlockStop', { contentBlockIndex: 2 }),
  event('contentBlockStart', {
    contentBlockIndex: 3,
    start: { toolUse: { toolUseId: 'tooluse_2', name: 'measure' } },
  }),
  event('contentBlockStop', { contentBlockIndex: 3 }),
  event('messageStop', { stopReason: 'tool_use' }),
  event('metadata', { usage: USAGE, metrics: { latencyMs: 1 }, p: 'ab' }),
].join('');

const READ: readonly NeutralEvent[] = [
  { type: 'start', id: '' },
  { type: 'reasoning', text: 'Hm' },
  { type: 'reasoning_proof', proof: { of: 'anthropic-messages', value: 'SIG=' } },
  { type: 'text', text: 'I will' },
  { type: 'text', text: ' look.' },
  { type: 'tool_call', index: 0, id: 'tooluse_1', name: 'look_up', freeForm: false },
  { type: 'tool_input', index: 0, text: '{"a"' },
  { type: 'tool_input', index: 0, text: ':"ü"}' },
  { type: 'tool_call', index: 1, id: 'tooluse_2', name: 'measure', freeForm: false },
  { type: 'end', reason: 'tool_calls' },
  { type: 'usage', usage: COUNTS },
  { type: 'done' },
];

function typesOf(...events: readonly string[]): string[] {
  return eventsOf(events.join('')).map(({ type }) => type);
}

const STOP = event('messageStop', { stopReason: 'end_turn' });
const THROTTLED = event('exception', { __type: 'throttlingException', message: 'Too many' });

describe('a stream of Converse', () => {
  it('is read in its order, and its usage behind its end', () => {
    expect(eventsOf(TURN)).toEqual(READ);
  });

  it('is read the same wherever its bytes are cut', () => {
    const bytes = Buffer.from(TURN);
    for (let at = 1; at < bytes.length; at += 1) {
      const reader = neutralForm.readStream(() => undefined);
      const parser = new SseParser();
      const read: NeutralEvent[] = [];
      for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) {
        parser.feed(piece);
        while (parser.hasRest && parser.next() === 'event') {
          read.push(...reader.read(parser.eventName, parser.data));
        }
        parser.forgetRead();
      }
      expect(read, `cut at ${at}`).toEqual(READ);
    }
  });

  it('may lack its usage, and has no end without messageStop', () => {
    expect(typesOf(STOP)).toEqual(['end']);
    expect(typesOf(event('metadata', { usage: USAGE }))).toEqual(['usage']);
    expect(typesOf(event('metadata', { usage: USAGE }), STOP)).toEqual(['usage', 'end', 'done']);
  });

  it('may have events and deltas that are not known', () => {
    const unknown = event('contentBlockDelta', { contentBlockIndex: 0, delta: { citation: {} } });
    expect(typesOf(event('somethingNew', { a: 1 }), unknown, STOP)).toEqual(['end']);
  });

  it('fails by an exception before its end, and is whole behind it', () => {
    expect(eventsOf(THROTTLED)).toEqual([
      { type: 'failure', detail: 'error event: throttlingException: Too many' },
    ]);
    expect(typesOf(event('contentBlockDelta', { __type: 'x', message: 'y' }))).toEqual(['failure']);
    expect(typesOf('event: messageStop\ndata: [1]\n\n')).toEqual(['failure']);
    expect(typesOf(STOP, THROTTLED)).toEqual(['end', 'done']);
  });

  it.each([
    ['end_turn', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop_sequence'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['model_context_window_exceeded', 'context_full'],
    ['something_new', 'stop'],
  ])('that stops with %s ends with %s', (stopReason, reason) => {
    expect(eventsOf(event('messageStop', { stopReason }))).toEqual([{ type: 'end', reason }]);
  });

  it.each(['malformed_model_output', 'malformed_tool_use'])('fails by %s', (stopReason) => {
    expect(typesOf(event('messageStop', { stopReason }))).toEqual(['failure']);
  });

  it.each([{ stop_sequence: 'END' }, { delta: { stop_sequence: 'END' } }])(
    'names the stop sequence that came: %j',
    (additionalModelResponseFields) => {
      const fields = { stopReason: 'stop_sequence', additionalModelResponseFields };
      expect(eventsOf(event('messageStop', fields))).toEqual([
        { type: 'end', reason: 'stop_sequence', stopSequence: 'END' },
      ]);
    },
  );

  it('joins encrypted reasoning and images from pieces that are base64 each', () => {
    const piece = (delta: object): string =>
      event('contentBlockDelta', { contentBlockIndex: 0, delta });
    const redacted = ['YQ==', 'Yg=='].map((redactedContent) =>
      piece({ reasoningContent: { redactedContent } }),
    );
    const end = event('contentBlockStop', { contentBlockIndex: 0 });
    const start = event('contentBlockStart', {
      contentBlockIndex: 1,
      start: { image: { format: 'png' } },
    });
    const image = ['YQ==', 'Yg=='].map((bytes) => piece({ image: { source: { bytes } } }));
    expect(eventsOf([...redacted, end, start, ...image, end].join(''))).toEqual([
      { type: 'reasoning_proof', proof: { of: 'bedrock-converse', value: 'YWI=', redacted: true } },
      { type: 'image', source: { base64: 'YWI=', mediaType: 'image/png' } },
    ]);
  });

  it('hides the tools that Bedrock runs itself', () => {
    const toolUse = { toolUseId: 't', name: 'nova_code_interpreter', type: 'server_tool_use' };
    expect(
      typesOf(
        event('contentBlockStart', { contentBlockIndex: 0, start: { toolUse } }),
        event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{}' } } }),
        STOP,
      ),
    ).toEqual(['end']);
  });

  it('reports the last of several usages, never their sum (langchain-aws 983)', () => {
    const usage = { ...USAGE, cacheWriteInputTokens: 7 };
    const twice = [event('metadata', { usage }), STOP, event('metadata', { usage })].join('');
    const counts = eventsOf(twice).filter(({ type }) => type === 'usage');
    expect(counts).toEqual(
      Array(2).fill({ type: 'usage', usage: { ...COUNTS, input: 17, cacheWrite: 7 } }),
    );
  });
});

describe('the input tokens of a stream', () => {
  const inputOf = (upstreamModel: string, usage: object): number | undefined => {
    const profile = profileOf({
      kind: 'bedrock',
      baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
      upstreamModel,
      upstreamProtocol: 'bedrock-converse',
      chosen: null,
    });
    const reader = neutralForm.readStream(() => undefined, profile);
    const [event] = reader.read('metadata', Buffer.from(JSON.stringify({ usage })));
    return event?.type === 'usage' ? event.usage.input : undefined;
  };
  const GPT = 'us.openai.gpt-5.6-sol';
  const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  /** maximhq/bifrost#6942 measured the first. */
  const WITH_CACHE = { inputTokens: 4_995, cacheWriteInputTokens: 4_993, outputTokens: 19 };
  const REST_ALONE = { inputTokens: 2, cacheReadInputTokens: 4_993, outputTokens: 19 };

  it('have those of caches in them from a GPT, which are not counted twice', () => {
    expect(inputOf(GPT, WITH_CACHE)).toBe(4_995);
    expect(inputOf(GPT, REST_ALONE)).toBe(4_995);
  });

  it('leave those of caches out from a Claude', () => {
    expect(inputOf(CLAUDE, REST_ALONE)).toBe(4_995);
    expect(inputOf(CLAUDE, WITH_CACHE)).toBe(9_988);
  });
});
