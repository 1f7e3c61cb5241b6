import { describe, expect, it } from 'vitest';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';
import type { StreamReader } from '../../../../gateway/protocols/stream-reader.ts';
import { geminiEvent } from '../../../support/upstreams/fake-gemini.ts';
import { parsed } from './support/parsed.ts';

const STREAM = '/v1beta/models/public-model:streamGenerateContent';
const SIGNATURE = 'CiQB+/w==';

function chunk(parts: object[], more: object = {}): object {
  return {
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
    usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    modelVersion: 'upstream-model-001',
  };
}

const LAST = {
  ...chunk([{ functionCall: { name: 'f', args: { a: 'é' } }, thoughtSignature: SIGNATURE }], {
    finishReason: 'STOP',
  }),
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
};
const BYTES = Buffer.from(
  [chunk([{ text: 'A thought', thought: true }]), chunk([{ text: 'wörd' }]), LAST]
    .map(geminiEvent)
    .join(''),
);
const COUNTS = { input: 9, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 };

function open(query = 'alt=sse', choices = 1): StreamReader {
  const body = { contents: [{}], generationConfig: { candidateCount: choices } };
  return gemini.passThrough.openStream(parsed(body, { path: STREAM, query }), () => undefined);
}

function push(stream: StreamReader, bytes: Buffer, size = bytes.length): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += size) {
    text += Buffer.from(stream.push(Buffer.from(bytes.subarray(at, at + size)))).toString('latin1');
  }
  text += Buffer.from(stream.flush()).toString('latin1');
  return Buffer.from(text, 'latin1').toString('utf8');
}

describe('a Gemini stream', () => {
  it.each([1, 7, 64, 1_000])('in packets of %i bytes is the same but for the model', (size) => {
    const stream = open();
    const text = push(stream, BYTES, size);
    expect(text).not.toContain('finishReason');
    expect(stream).toMatchObject({ finished: true, whole: true, hasContent: true, usage: COUNTS });
    expect(text + stream.endMarker(null)).toBe(
      BYTES.toString().replaceAll('upstream-model-001', 'public-model'),
    );
  });

  it('in CR LF and without spaces is read as well', () => {
    const stream = open();
    const bytes = BYTES.toString().replaceAll('data: ', 'data:').replaceAll('\n', '\r\n');
    push(stream, Buffer.from(bytes));
    expect(stream).toMatchObject({ whole: true, usage: COUNTS });
  });

  describe('whose chunks differ in a text and in counts', () => {
    const TEXTS = [' water', '"', '\\n\n', 'wörd', '水', '\u{1f30a}', 'totalTokenCount', ''];
    const chunks = Array.from({ length: 40 }, (_, index) => ({
      ...chunk([
        { text: TEXTS[index % TEXTS.length] ?? '', ...(index % 9 > 6 ? { thought: true } : {}) },
      ]),
      // Some servers report now and then only, and thoughts come first.
      ...(index % 11 === 10
        ? { usageMetadata: undefined }
        : {
            usageMetadata: {
              promptTokenCount: index < 20 ? 9 : 10,
              candidatesTokenCount: 2 * index,
              totalTokenCount: (index < 20 ? 9 : 10) + 3 * index,
              thoughtsTokenCount: index,
            },
          }),
    }));

    it.each(['\n', '\r\n'])('passes and counts each as if it were the only one: %j', (lineEnd) => {
      const events = chunks.map((one) => geminiEvent(one).replaceAll('\n', lineEnd));
      for (const [index, { usageMetadata }] of chunks.entries()) {
        const stream = open();
        const bytes = Buffer.from(events.slice(0, index + 1).join(''));
        const sent = push(stream, bytes, index % 3 === 0 ? 100 : bytes.length);
        expect(sent.replaceAll('\r', '')).toBe(
          bytes.toString().replaceAll('upstream-model-001', 'public-model').replaceAll('\r', ''),
        );
        expect(stream.deliveredText()).toBe(
          chunks
            .slice(0, index + 1)
            .map((_, at) => TEXTS[at % TEXTS.length])
            .join(''),
        );
        const input = index < 20 ? 9 : 10;
        if (usageMetadata === undefined || index === 0) expect(stream.usage).toBeNull();
        else expect(stream.usage).toMatchObject({ input, output: 3 * index, reasoning: index });
      }
    });
  });

  it('tells the counts that are billed where the upstream reports none', () => {
    const stream = open();
    const last = { ...LAST, usageMetadata: undefined };
    push(stream, Buffer.from(geminiEvent(last)));
    expect(stream).toMatchObject({ whole: true, usage: null });
    expect(stream.deliveredText()).toBe('f{"a":"é"}');
    const end = stream.endMarker({ ...COUNTS, output: 7 });
    expect(end).toContain('"candidatesTokenCount":7');
    expect(end).toContain(`"thoughtSignature":"${SIGNATURE}"`);
    expect(end.match(/finishReason/g)).toHaveLength(1);
  });

  it('does not believe a report that is older than what was delivered', () => {
    const stream = open();
    push(stream, BYTES.subarray(0, BYTES.indexOf('data: ', 9)));
    expect(stream).toMatchObject({ finished: false, usage: null });
    expect(stream.promptUsage).toMatchObject({ input: 9, output: 0 });
  });

  it('that is cut short has its end once, before the error or in the terminal event', () => {
    const events = [open(), open('')].map((stream) => {
      push(stream, BYTES.subarray(0, BYTES.indexOf('data: ', 9)));
      expect(stream.cutShort()).toBe('');
      return stream.endMarker(COUNTS);
    });
    for (const text of events) expect(text.match(/MAX_TOKENS/g)).toHaveLength(1);
    const stream = open();
    stream.cutShort();
    const last = stream.errorEvent('insufficient_balance');
    expect(last).toMatch(/MAX_TOKENS.*\n\ndata: \{"error":\{"code":402/s);
  });

  it('as an array is one JSON text, also when it breaks off', () => {
    const whole = open('');
    const text = push(whole, BYTES, 5) + whole.endMarker(null);
    expect(JSON.parse(text)).toHaveLength(3);
    const broken = open('');
    const part = push(broken, BYTES.subarray(0, 300)) + broken.errorEvent('upstream_error');
    expect((JSON.parse(part) as object[]).at(-1)).toHaveProperty('error.code', 502);
    expect(JSON.parse(open('').errorEvent('upstream_error'))).toHaveLength(1);
  });

  it('of two candidates is whole when both have ended', () => {
    const stream = open('alt=sse', 2);
    push(stream, Buffer.from(geminiEvent(LAST)));
    expect(stream).toMatchObject({ finished: true, whole: false });
    const second = { candidates: [{ content: { parts: [] }, index: 1, finishReason: 'STOP' }] };
    push(stream, Buffer.from(geminiEvent(second)));
    expect(stream.whole).toBe(true);
  });

  it.each([
    ['an error', geminiEvent({ error: { code: 503, message: 'overloaded' } })],
    ['an error in a list', 'data: [{"error":{"code":503}}]\n\n'],
    ['half an object', 'data: {"candidates":[\n\n'],
  ])('fails at %s, which the provider gets to judge', (_name, event) => {
    const stream = open();
    push(stream, Buffer.from(event));
    expect(stream.failure).toMatchObject({ failed: 'bad_reply' });
    expect(stream.failure?.body?.length).toBeGreaterThan(0);
  });

  it('has keep-alives that are no comments: Gemini CLI gives up at one', () => {
    expect(gemini.keepAlive).toMatch(/^data: \{.*\}\n\n$/);
    const stream = open();
    expect(push(stream, Buffer.from(`: ping\n\n${BYTES.toString()}`))).not.toContain(': ping');
  });
});
