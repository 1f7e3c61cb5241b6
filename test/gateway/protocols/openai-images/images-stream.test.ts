import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { parseRequest } from '../../../../gateway/protocols/openai-images/from-client/parse-request.ts';
import { ImagesStream } from '../../../../gateway/protocols/openai-images/pass-through/images-stream.ts';
import { openaiImages } from '../../../../gateway/protocols/openai-images/protocol.ts';
import { REQUEST_LIMITS } from '../../../../gateway/protocols/protocol.ts';

const MEGABYTE = 1_048_576;

function open(body: object = {}, eventBytesMax?: number): ImagesStream {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', prompt: 'p', stream: true, ...body }));
  const [endpoint] = openaiImages.endpoints;
  if (endpoint === undefined) throw new Error('there is no endpoint');
  const head = { endpoint, pathModel: null, query: '', headers: {} };
  const request = parseRequest(bytes, head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return new ImagesStream(request, () => undefined, eventBytesMax);
}

function event(type: string, more: object, end = '\n'): string {
  const data = JSON.stringify({ type, ...more });
  return `event: ${type}${end}data: ${data}${end}${end}`;
}

const USAGE = { input_tokens: 9, output_tokens: 272, total_tokens: 281 };

function readInPieces(stream: ImagesStream, text: string, size: number): Buffer {
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size)
    out.push(stream.push(bytes.subarray(at, at + size)));
  out.push(stream.flush());
  return Buffer.concat(out);
}

describe('a stream of images', () => {
  it.each([1, 7, 1_000, MEGABYTE])('passes unchanged in pieces of %d bytes', (size) => {
    for (const end of ['\n', '\r\n']) {
      const b64_json = 'QUJD'.repeat(5_000);
      const text =
        event('image_generation.partial_image', { b64_json, partial_image_index: 0 }, end) +
        `: comment${end}${end}` +
        event(
          'image_generation.completed',
          { b64_json, size: '1024x1024', quality: 'low', usage: USAGE },
          end,
        );
      const stream = open();
      const out = readInPieces(stream, text, size).toString();
      expect(out + stream.endMarker()).toBe(text);
      // Nothing of the last event can be read before the request is settled.
      expect(stream.endMarker()).toBe(size === 1 ? '\n' : end);
      expect(stream).toMatchObject({ done: true, finished: true, hasContent: true, failure: null });
      expect(stream.usage).toEqual({
        ...{ input: 9, cachedInput: 0, cacheWrite: 0, output: 272, reasoning: 0 },
        extra: { imageOutput: 272, image: 1, variant: '1024x1024 low' },
      });
    }
  });

  it('leaves as it comes, without a copy, and keeps none of it', () => {
    const stream = open();
    stream.push(Buffer.from('event: image_generation.completed\ndata: {"b64_json":"'));
    const packet = Buffer.alloc(MEGABYTE, 'A');
    expect(stream.push(packet).length).toBeGreaterThan(MEGABYTE);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 40; count += 1) {
      expect(stream.push(packet).buffer === packet.buffer).toBe(true);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MEGABYTE);
    expect(stream.keepAlive()).toBe('');
    stream.push(Buffer.from(`","usage":${JSON.stringify(USAGE)}}\n\n`));
    expect(stream.usage?.output).toBe(272);
  });

  it('fails with an error event, of which the client gets nothing', () => {
    const stream = open();
    const error = { error: { message: 'moderation_blocked' } };
    expect(readInPieces(stream, event('error', error), 5).toString()).toBe('');
    expect(stream).toMatchObject({ hasContent: false, failure: { failed: 'bad_reply' } });
  });

  it('fails with an event that is larger than it may be', () => {
    const stream = open({}, 20_000);
    readInPieces(
      stream,
      event('image_generation.completed', { b64_json: 'A'.repeat(30_000) }),
      999,
    );
    expect(stream.failure).toMatchObject({ failed: 'reply_too_large' });
  });

  it('adds up what the events of several images report', () => {
    const stream = open({ n: 2 });
    const completed = event('image_generation.completed', { b64_json: 'QQ==', usage: USAGE });
    readInPieces(stream, completed, 50);
    expect(stream).toMatchObject({ done: false, finished: true });
    readInPieces(stream, completed, 50);
    expect(stream.done).toBe(true);
    expect(stream.usage).toMatchObject({
      input: 18,
      output: 544,
      extra: { image: 2, imageOutput: 544 },
    });
  });

  it('has a part of an image count as one, where nothing is reported', () => {
    const stream = open({ quality: 'low', size: '1024x1024' });
    readInPieces(stream, event('image_generation.partial_image', { b64_json: 'QQ==' }), 50);
    expect(stream.usage).toBeNull();
    expect(stream.finished).toBe(false);
    expect(stream.countDelivered()).toMatchObject({ output: 272, extra: { image: 1 } });
  });
});
