import { describe, expect, test } from 'vitest';
import type { PricingModel } from '@weir/shared/prices/prices';
import { model } from '../../../testing/views';
import { mediaKindOf, type MediaKind } from './media-kind';
import { mediaRequest } from './media-request';
import { MediaRun } from './media-run';

const REQUEST_ID = '01a1fe10-0000-7000-8000-000000000050';
const SENDER = { gatewayUrl: 'https://gateway.example.org', key: 'sk-secret' };

function priced(
  extra: PricingModel['prices']['extra'],
  protocols: PricingModel['protocols'] = ['openai-chat'],
): PricingModel {
  const plain = model('any');
  return { ...plain, protocols, prices: { ...plain.prices, extra } };
}

describe('A model', () => {
  test.each<[string, PricingModel, MediaKind | undefined]>([
    ['of images by the piece', priced({ image: '0.04' }), 'image'],
    ['of images by tokens', priced({ imageOutput: '32' }), 'image'],
    ['that draws in a conversation', priced({ imageOutput: '30' }, ['gemini']), undefined],
    ['of speech by characters', priced({ character: '15' }), 'speech'],
    ['of speech by tokens', priced({ audioOutput: '12' }, ['openai-speech']), 'speech'],
    ['of transcripts by the second', priced({ second: '0.0001' }), 'transcript'],
    ['of transcripts by tokens', priced({}, ['openai-transcriptions']), 'transcript'],
    ['of sessions by the second', priced({ second: '1' }, ['openai-realtime']), undefined],
    ['of search units', priced({ searchUnit: '2' }, ['rerank']), undefined],
    ['that talks and hears', priced({ audioInput: '32', audioOutput: '64' }), undefined],
  ])('%s is offered as it is priced', (_name, one, kind) => {
    expect(mediaKindOf(one)).toBe(kind);
  });
});

const SETTINGS = {
  ...{ model: 'm', text: 'A cat', file: undefined, voice: 'alloy' },
  ...{ size: '', quality: '' },
};

describe('A request', () => {
  test('leaves to the model what is not chosen', () => {
    expect(mediaRequest('image', SETTINGS)).toEqual({
      path: '/v1/images/generations',
      body: '{"model":"m","prompt":"A cat"}',
    });
    expect(mediaRequest('image', { ...SETTINGS, size: '1024x1024', quality: 'low' }).body).toBe(
      '{"model":"m","prompt":"A cat","size":"1024x1024","quality":"low"}',
    );
  });

  test('for a transcript is a form with the file', () => {
    const file = new File(['sound'], 'a.webm');
    const { body } = mediaRequest('transcript', { ...SETTINGS, file });
    expect(body).toBeInstanceOf(FormData);
    expect([...(body as FormData).keys()]).toEqual(['model', 'file']);
  });
});

function runOver(respond: () => Response | Promise<Response>) {
  const calls: { readonly url: string; readonly init: RequestInit }[] = [];
  const revoked: string[] = [];
  const run = new MediaRun({
    fetch: (url, init = {}) => {
      calls.push({ url: url instanceof Request ? url.url : String(url), init });
      const { promise, reject } = Promise.withResolvers<Response>();
      init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      return Promise.race([promise, Promise.resolve(respond())]);
    },
    addresses: {
      createObjectURL: () => 'blob:sound',
      revokeObjectURL: (address) => void revoked.push(address),
    },
  });
  const send = (kind: MediaKind, settings = SETTINGS) =>
    run.send(kind, mediaRequest(kind, settings), SENDER);
  return { run, calls, revoked, send };
}

const headers = { 'x-request-id': REQUEST_ID };

describe('A run', () => {
  test('shows images, by their bytes and by their addresses', async () => {
    const body = {
      data: [{ b64_json: 'eA==' }, { url: 'https://x.test/1' }],
      output_format: 'webp',
    };
    const { run, calls, send } = runOver(() => Response.json(body, { headers }));
    await send('image');
    const [call] = calls;
    expect(call?.url).toBe('https://gateway.example.org/v1/images/generations');
    expect(call?.init.headers).toEqual({
      authorization: 'Bearer sk-secret',
      'content-type': 'application/json',
    });
    expect(run.state()).toBe('done');
    expect(run.requestId()).toBe(REQUEST_ID);
    expect(run.result()).toEqual({
      kind: 'image',
      addresses: ['data:image/webp;base64,eA==', 'https://x.test/1'],
    });
  });

  test('plays speech, and takes its memory back', async () => {
    const { run, revoked, send } = runOver(() => new Response('sound', { headers }));
    await send('speech');
    expect(run.result()).toEqual({ kind: 'speech', address: 'blob:sound' });
    run.clear();
    expect(revoked).toEqual(['blob:sound']);
  });

  test('shows a transcript; its form gets its own content type', async () => {
    const { run, calls, send } = runOver(() => Response.json({ text: 'Hello' }, { headers }));
    await send('transcript', { ...SETTINGS, file: undefined });
    expect(run.result()).toEqual({ kind: 'transcript', text: 'Hello' });
    expect(calls[0]?.init.headers).toEqual({ authorization: 'Bearer sk-secret' });
  });

  test('shows what the gateway says of a failure', async () => {
    const error = {
      message: 'The model made no image. It replied: No.',
      code: 'upstream_rejected',
    };
    const { run, send } = runOver(() => Response.json({ error }, { status: 400, headers }));
    await send('image');
    expect(run.state()).toBe('failed');
    expect(run.failure()).toMatchObject({ code: 'upstream_rejected', requestId: REQUEST_ID });
  });

  test('can be stopped', async () => {
    const { run, send } = runOver(() => Promise.withResolvers<Response>().promise);
    const sent = send('image');
    run.stop();
    await sent;
    expect(run.state()).toBe('stopped');
    expect(run.failure()).toBeUndefined();
  });

  test('is no success where the reply is none of its kind', async () => {
    const { run, send } = runOver(() => Response.json({ created: 1 }, { headers }));
    await send('image');
    expect(run.state()).toBe('failed');
  });
});
