import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatStream } from '../../../../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import {
  event,
  packetsOf,
  read,
  recording,
  translate,
  WHOLE_STREAMS,
} from '../../../../support/clients/recorded-stream.ts';
import { readStrictly } from '../../../../support/clients/strict-chat-client.ts';

describe('failures', () => {
  it('are seen before any content, so that another channel can be tried', () => {
    const { stream, text } = read('error-first');
    expect(stream.failure).toMatchObject({ failed: 'bad_reply' });
    expect(stream.failure?.detail).toContain('The engine is overloaded');
    // Whose fault it is the judge reads there.
    expect(JSON.parse(String(stream.failure?.body))).toHaveProperty('error');
    expect(stream.hasContent).toBe(false);
    expect(text).not.toContain('overloaded');
  });

  it('after content leave what was delivered', () => {
    const { stream, text } = read('error-after-content');
    expect(stream.failure?.detail).toContain('CUDA out of memory');
    expect(stream.hasContent).toBe(true);
    expect(text).toContain('Half a');
    expect(text).not.toContain('CUDA');
  });

  it.each([
    ['an error as a string', 'data: {"error":"overloaded"}\n\n'],
    ['an error object of vLLM', 'data: {"object":"error","message":"bad","code":400}\n\n'],
    ['an error event that is no JSON', 'event: error\ndata: overloaded\n\n'],
    ['MiniMax’s word of it', event({}, { choices: null, base_resp: { status_code: 1008 } })],
    [
      'an error alongside a choice',
      event({ content: 'x' }, { error: { code: 502, message: 'x' } }),
    ],
    ['a chunk that is cut off', 'data: {"choices":[{"ind\n\n'],
  ])('are recognised in %s', (_name, bytes) => {
    const { stream, text } = translate([Buffer.from(bytes)]);
    expect(stream.failure?.failed).toBe('bad_reply');
    expect(text).toBe('');
  });

  it.each([
    ['that says why', 'error', { error: { code: 429, message: 'Slow down' } }, 'Slow down'],
    ['that does not', 'error', {}, 'finish_reason'],
    ['of Zhipu', 'network_error', {}, 'network_error'],
    ['of DeepSeek', 'insufficient_system_resource', {}, 'insufficient_system_resource'],
    ['of vLLM', 'abort', {}, 'abort'],
  ])('are recognised in a choice %s', (_name, reason, error, said) => {
    const choice = { index: 0, delta: { content: '' }, finish_reason: reason, ...error };
    const events = [event({ content: 'Half a' }), event({}, { choices: [choice] })];
    const { stream, text } = translate([Buffer.from(`${events.join('')}data: [DONE]\n\n`)]);
    expect(stream.failure).toMatchObject({ failed: 'bad_reply' });
    expect(stream.failure?.detail).toContain(said);
    // Whose fault it is the judge reads there.
    expect(JSON.parse(String(stream.failure?.body))).toMatchObject({ choices: [error] });
    expect(stream.finished).toBe(false);
    expect(readStrictly(text).texts).toEqual(['Half a']);
  });

  it('end everything: nothing after them is answered', () => {
    const stream = new ChatStream({ publicModel: 'm', includeUsage: false, choices: 1 });
    stream.push(Buffer.from('data: {"error":{"message":"x"}}\n\n'));
    expect(stream.push(Buffer.from(event({ content: 'x' }))).length).toBe(0);
    expect(stream.hasContent).toBe(false);
  });

  it('do not take a page of HTML for a reply', () => {
    const { stream, text } = translate([Buffer.from('<html>\n\n<body>Bad gateway</body></html>')]);
    expect([text, stream.finished, stream.hasContent, stream.done]).toEqual([
      '',
      false,
      false,
      false,
    ]);
  });

  it.each(['\\u12', '\\u"}', '\\uzzzz', '\\x', '\u0007', '\\'])(
    'are seen in a chunk like others before it whose text is no JSON string: %j',
    (written) => {
      const like = event({ content: '\u00fc' });
      const events = [event({ role: 'assistant', content: '' }), like, like];
      const broken = like.replace('\u00fc', () => written);
      const { stream } = translate([Buffer.from(`${events.join('')}${broken}`)]);
      expect(stream.failure?.failed).toBe('bad_reply');
      expect(stream.deliveredText()).toBe('\u00fc\u00fc');
    },
  );

  it('are all there is to whatever bytes come: nothing is thrown, and what goes out can be read', () => {
    const damage = fc.array(
      fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'drop', 'twice')),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...WHOLE_STREAMS),
        damage,
        fc.integer({ min: 1, max: 900 }),
        (name, changes, size) => {
          const bytes = [...recording(`${name}.chunks.txt`)];
          for (const [where, byte, kind] of changes) {
            const at = where % bytes.length;
            if (kind === 'set') bytes[at] = byte;
            else
              bytes.splice(
                at,
                kind === 'drop' ? 1 : 0,
                ...(kind === 'drop' ? [] : bytes.slice(at, at + byte)),
              );
          }
          const { text, stream } = translate(packetsOf(Buffer.from(bytes), size), { choices: 2 });
          for (const block of text.split('\n\n').filter((line) => line !== '')) {
            expect(block.startsWith('data: ')).toBe(true);
            if (block !== 'data: [DONE]')
              expect(() => JSON.parse(block.slice(6)) as unknown).not.toThrow();
          }
          expect(stream.outputTokensEstimate).toBeGreaterThanOrEqual(0);
          expect(typeof stream.deliveredText()).toBe('string');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('do not grow without end', () => {
    const limits = { eventBytesMax: 8 * 1_048_576 };
    const stream = new ChatStream({ publicModel: 'm', includeUsage: false, choices: 1, ...limits });
    const packet = Buffer.alloc(1_048_576, 0x78);
    stream.push(Buffer.from('data: {"x":"'));
    for (let index = 0; index < 9; index += 1) stream.push(packet);
    expect(stream.failure?.detail).toContain('REPLY_BODY_BYTES_MAX');
  });
});

describe('ending by ourselves', () => {
  it('gives every open choice the finish_reason "length"', () => {
    const bytes = recording('two-choices.chunks.txt').toString();
    const broken = bytes.slice(0, bytes.indexOf('"finish_reason":"stop"') - 400);
    const { stream, text } = translate([Buffer.from(broken)], { choices: 2 });
    const { finishReasons } = readStrictly(`${text}${stream.cutShort()}data: [DONE]\n\n`);
    expect(finishReasons).toEqual(['length', 'length']);
    expect(stream.finished).toBe(true);
  });

  it('works before anything has come', () => {
    const { stream } = translate([]);
    const { finishReasons } = readStrictly(`${stream.cutShort()}data: [DONE]\n\n`);
    expect(finishReasons).toEqual(['length']);
  });

  it.each([
    'insufficient_balance',
    'key_budget_exceeded',
    'ledger_unavailable',
    'upstream_error',
  ] as const)('says why: %s', (code) => {
    const { stream } = translate([]);
    const sent = stream.errorEvent(code);
    expect(JSON.parse(sent.slice(6))).toMatchObject({ error: { code } });
  });
});
