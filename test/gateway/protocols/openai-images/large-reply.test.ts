import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { parseRequest } from '../../../../gateway/protocols/openai-images/from-client/parse-request.ts';
import { LargeReply } from '../../../../gateway/protocols/openai-images/pass-through/large-reply.ts';
import { passThrough } from '../../../../gateway/protocols/openai-images/pass-through/pass-through.ts';
import { openaiImages } from '../../../../gateway/protocols/openai-images/protocol.ts';
import { REQUEST_LIMITS } from '../../../../gateway/protocols/protocol.ts';

const USAGE = { input_tokens: 9, output_tokens: 544, total_tokens: 553 };
const IMAGE = 'QUJD'.repeat(5_000);
const HEAD = { created: 1, background: 'opaque' };
const WORDS = { output_format: 'png', quality: 'low', size: '1024x1024' };
const TWO = [{ b64_json: IMAGE, revised_prompt: 'a "cat"' }, { b64_json: IMAGE }];

function request(body: object = {}) {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', prompt: 'p', n: 2, ...body }));
  const [endpoint] = openaiImages.endpoints;
  if (endpoint === undefined) throw new Error('there is no endpoint');
  const head = { endpoint, pathModel: null, query: '', headers: {} };
  const parsed = parseRequest(bytes, head, REQUEST_LIMITS);
  if (isRefusal(parsed)) throw new Error(parsed.message);
  return parsed;
}

/** Returns what passes of a reply that comes in pieces, before the request is settled. */
function pass(reader: LargeReply, text: string, size = 1_000): string {
  const bytes = Buffer.from(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += size) {
    out += reader.push(bytes.subarray(at, at + size)).toString();
  }
  return out + reader.flush().toString();
}

function isPassed(reply: object | string, begin = 60_000): boolean {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const first = Buffer.from(text).subarray(0, begin);
  return passThrough.openLarge?.(first, request()) !== undefined;
}

describe('a large reply with images', () => {
  it.each([1, 7, 1_000, 100_000])('passes unchanged in pieces of %d bytes', (size) => {
    const text = JSON.stringify({ ...HEAD, data: TWO, ...WORDS, usage: USAGE });
    const reader = new LargeReply(request());
    const out = pass(reader, text, size);
    expect(out + reader.endMarker(null)).toBe(text);
    expect(reader).toMatchObject({ finished: true, hasContent: true, failure: null });
    expect(reader.usage).toEqual({
      ...{ input: 9, cachedInput: 0, cacheWrite: 0, output: 544, reasoning: 0 },
      extra: { imageOutput: 544, image: 2, variant: '1024x1024 low' },
    });
    // No client can read it before the request is settled.
    expect(reader.endMarker(null)).toContain('usage');
  });

  it('leaves as it comes, without a copy, and only its end is kept', () => {
    const reader = new LargeReply(request());
    reader.push(Buffer.from(`{"created":1,"data":[{"b64_json":"${IMAGE}`));
    const packet = Buffer.alloc(1_048_576, 'A');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 40; count += 1) {
      expect(reader.push(packet).buffer === packet.buffer).toBe(true);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(packet.length);
    pass(reader, `"}],"usage":${JSON.stringify(USAGE)}}`);
    expect(reader.usage?.output).toBe(544);
  });

  it('may have escapes wherever it is cut', () => {
    for (let shift = 0; shift < 12; shift += 1) {
      for (const escaped of ['QUJD\\/', 'QUJ\\\\D', 'QU\\u002fJD+']) {
        const image = 'A'.repeat(shift) + escaped.repeat(2_000);
        const text = `{"data":[{"b64_json":"${image}"}],"usage":${JSON.stringify(USAGE)}}`;
        const reader = new LargeReply(request({ n: 1 }));
        expect(pass(reader, text) + reader.endMarker(null)).toBe(text);
        expect(reader.usage?.extra).toMatchObject({ image: 1 });
      }
    }
  });

  it('does not show what follows the images and is not known', () => {
    const hidden = { node: 'gpu-7', trace: 'x'.repeat(20_000) };
    const usage = { ...USAGE, cost: 0.1 };
    const text = JSON.stringify({ ...HEAD, data: TWO, ...hidden, ...WORDS, model: 'up', usage });
    const reader = new LargeReply(request());
    const sent = pass(reader, text) + reader.endMarker(null);
    expect(JSON.parse(sent)).toEqual({ ...HEAD, data: TWO, ...WORDS, model: 'm', usage: USAGE });
  });

  it('has the usage that is counted where the upstream reports none', () => {
    for (const usage of [undefined, null]) {
      const text = JSON.stringify({ ...HEAD, data: TWO, usage });
      const reader = new LargeReply(request({ quality: 'low', size: '1024x1024' }));
      const out = pass(reader, text);
      const counted = reader.countDelivered();
      expect(reader).toMatchObject({ usage: null, finished: true, isEstimate: false });
      expect(counted).toMatchObject({ output: 544, extra: { image: 2 } });
      const sent = JSON.parse(out + reader.endMarker({ ...counted, input: 3 })) as object;
      expect(sent).toMatchObject({ ...HEAD, data: TWO, usage: { output_tokens: 544 } });
      expect(JSON.parse(out + reader.endMarker(null))).toMatchObject({ ...HEAD, data: TWO });
    }
  });

  it('counts all its images for a client that leaves, and none where the upstream breaks off', () => {
    const begin = `{"created":1,"data":[{"b64_json":"${IMAGE}"},{"b64_json":"${IMAGE}`;
    const left = new LargeReply(request());
    pass(left, begin);
    expect(left).toMatchObject({ finished: false, isMade: true, isEstimate: true });
    expect(left.countDelivered().extra).toMatchObject({ image: 2 });
    left.errorEvent('upstream_error');
    expect(left.countDelivered()).toMatchObject({ output: 0, extra: { image: 0 } });
  });

  it('is not finished by anything but its last brace', () => {
    const text = JSON.stringify({ ...HEAD, data: TWO, usage: USAGE });
    for (const cut of [text.slice(0, -1), `${text}}`, text.replace('}],', '},'), `${text}{}`]) {
      const reader = new LargeReply(request());
      pass(reader, cut);
      expect(reader).toMatchObject({ finished: false, usage: null });
    }
  });

  it('fails where too much follows the images', () => {
    const reader = new LargeReply(request());
    pass(reader, `{"data":[{"b64_json":"${IMAGE}"}],"x":"${'x'.repeat(2_000_000)}`, 50_000);
    expect(reader.failure).toMatchObject({ failed: 'reply_too_large' });
  });

  it('is read as a whole where something before the images has to change', () => {
    expect(isPassed({ ...HEAD, ...WORDS, data: TWO })).toBe(true);
    expect(isPassed(` { "data" : [ {"b64_json": "${IMAGE}`)).toBe(true);
    expect(isPassed({ model: 'upstream', data: TWO })).toBe(false);
    expect(isPassed({ usage: USAGE, data: TWO })).toBe(false);
    expect(isPassed({ node: 'gpu-7', data: TWO })).toBe(false);
    expect(isPassed({ error: { message: IMAGE }, data: TWO })).toBe(false);
    expect(isPassed({ data: { b64_json: IMAGE } })).toBe(false);
    expect(isPassed(`data: {"created":1,"data":[{"b64_json":"${IMAGE}`)).toBe(false);
    expect(isPassed({ ...HEAD, data: [{ url: 'https://x.test/1' }] })).toBe(false);
  });
});
