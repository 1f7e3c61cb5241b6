import OpenAI, { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { BLOCKED_WORD } from '../support/upstreams/image-vendor.ts';
import { RANK_TOKENS, SEARCH_UNITS } from '../support/upstreams/rerank-vendor.ts';
import { TEXT } from '../support/upstreams/transcription-vendor.ts';
import { wavOf } from '../gateway/platform/audio/support/audio-bytes.ts';
import { fetchLibraries } from './support/fetch-libraries.ts';
import { MEDIA_MODELS as MODELS, openMediaShop, type MediaShop } from './support/media-shop.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const QUERY = 'Who wrote it?';
const TEXTS = ['Homer', 'Sappho', 'Pindar'];

interface RankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN?: number;
  readonly topK?: number;
  readonly returnDocuments?: boolean;
}
interface Settings {
  readonly token?: string;
  readonly apiKey?: string;
  readonly environment: string;
}
interface CohereReply {
  readonly results: readonly { readonly index: number }[];
  readonly meta?: { readonly billedUnits?: { readonly searchUnits?: number } };
}
interface VoyageReply {
  readonly data?: readonly { readonly index?: number; readonly document?: string }[];
  readonly usage?: { readonly totalTokens?: number };
}
interface Client<Reply> {
  rerank(request: RankRequest, options?: { readonly maxRetries: number }): Promise<Reply>;
}
interface Libraries {
  readonly 'cohere-ai': {
    readonly CohereClient: new (settings: Settings) => Client<CohereReply>;
    readonly CohereClientV2: new (settings: Settings) => Client<CohereReply>;
  };
  readonly voyageai: { readonly VoyageAIClient: new (settings: Settings) => Client<VoyageReply> };
}

const fetched = await fetchLibraries<Libraries>({ 'cohere-ai': '8.1.0', voyageai: '0.4.0' });
let shop: MediaShop;

beforeAll(async () => {
  shop = await openMediaShop();
  shop.speaker.sound = Buffer.alloc(50_000, 7);
});
afterAll(async () => {
  await shop.close();
  await fetched?.remove();
});
afterEach(() => void shop.counted());

/** Class, status, and the requests that it took. */
async function failureOf(call: () => Promise<unknown>): Promise<unknown> {
  shop.counted();
  try {
    await call();
  } catch (error) {
    const { statusCode, status = statusCode } = error as { status?: number; statusCode?: number };
    const name = error instanceof Error ? error.constructor.name : typeof error;
    return { name, status, sent: shop.counted(), message: String(error) };
  }
  return undefined;
}

describe.runIf(fetched !== undefined)('cohere-ai and voyageai of Node.js', () => {
  const clientsOf = (key: string) => {
    if (fetched === undefined) throw new Error('the libraries are not there');
    const { libraries } = fetched;
    const { CohereClient, CohereClientV2 } = libraries['cohere-ai'];
    const settings = { token: key, environment: shop.url };
    const v1 = new CohereClient(settings);
    const v2 = new CohereClientV2(settings);
    const { VoyageAIClient } = libraries.voyageai;
    const voyage = new VoyageAIClient({ apiKey: key, environment: `${shop.url}/v1` });
    return { v1, v2, voyage };
  };
  const asked = { query: QUERY, documents: TEXTS };

  it.each([
    [MODELS.cohere, SEARCH_UNITS],
    [MODELS.jina, undefined],
    [MODELS.voyage, undefined],
  ])('rank by %s', async (model, units) => {
    const { v1, v2, voyage } = clientsOf(shop.key);
    for (const client of [v1, v2]) {
      const { results, meta } = await client.rerank({ ...asked, model, topN: 2 });
      expect(results.map(({ index }) => index)).toEqual([2, 1]);
      expect(meta?.billedUnits?.searchUnits).toBe(units);
    }
    const { data, usage } = await voyage.rerank({
      ...{ ...asked, model, topK: 2, returnDocuments: true },
    });
    expect(data?.map(({ index, document }) => [index, document])).toEqual([
      [2, 'Pindar'],
      [1, 'Sappho'],
    ]);
    if (units === undefined) expect(usage?.totalTokens).toBe(RANK_TOKENS);
  });

  it.each([
    ['of a wrong key', 401, 'wrong', MODELS.cohere],
    ['without money', 402, 'poor', MODELS.cohere],
    ['of an unknown model', 404, 'good', 'no-such-model'],
    ['above its limit', 429, 'limited', MODELS.cohere],
  ] as const)('throw for a request %s, which is sent once', async (_name, status, which, model) => {
    // Its client would wait as long as Retry-After says.
    const options = status === 429 ? { maxRetries: 0 } : undefined;
    const { key: good, poorKey: poor, limitedKey: limited } = shop;
    const keys = { wrong: 'sk-wrong', poor, good, limited };
    const { v1, v2, voyage } = clientsOf(keys[which]);
    for (const client of [v1, v2, voyage]) {
      const failure = await failureOf(() => client.rerank({ ...asked, model }, options));
      expect(failure).toMatchObject({ status, sent: 1 });
    }
  });
});

describe('openai of Node.js', () => {
  const clientOf = (key: string, maxRetries = 2): OpenAI =>
    new OpenAI({ baseURL: `${shop.url}/v1`, apiKey: key, maxRetries });
  const speech = () => toFile(wavOf(3_210), 'speech.wav', { type: 'audio/wav' });
  const picture = () => toFile(Buffer.alloc(70, 1), 'a.png', { type: 'image/png' });

  it('makes, edits and streams images', async () => {
    const { images } = clientOf(shop.key);
    const asked = { model: MODELS.painter, prompt: 'A cat' };
    const made = await images.generate({ ...asked, n: 2, size: '1024x1024', quality: 'low' });
    expect(made.data).toHaveLength(2);
    const edited = await images.edit({ ...asked, image: [await picture(), await picture()] });
    expect(edited.usage?.input_tokens_details.image_tokens).toBe(2 * 323);
    const types: string[] = [];
    const stream = await images.generate({ ...asked, stream: true, partial_images: 1 });
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    expect(await shop.charged()).toBeGreaterThan(0);
  });

  it('speaks, transcribes, translates and moderates', async () => {
    const { audio, moderations } = clientOf(shop.key);
    const sound = await audio.speech.create({
      ...{ model: MODELS.speaker, voice: 'alloy', input: 'Good evening.' },
    });
    expect((await sound.arrayBuffer()).byteLength).toBe(shop.speaker.sound.length);
    const made = { model: MODELS.transcriber, file: await speech() };
    expect((await audio.transcriptions.create(made)).text).toBe(TEXT);
    await shop.charged();
    // oxlint-disable-next-line typescript/no-deprecated -- clients of whisper-1 call it
    const translated = await audio.translations.create({
      ...{ model: MODELS.whisper, file: await speech() },
    });
    expect(translated.text).toBe(TEXT);
    expect(await shop.charged()).toBe(4 * 100_000);
    const { results } = await moderations.create({ model: MODELS.moderator, input: 'a' });
    expect(results[0]?.flagged).toBe(false);
    expect(await shop.charged()).toBe(0);
  });

  const calls = {
    image: (client: OpenAI, model: string) => client.images.generate({ model, prompt: 'A cat' }),
    edit: async (client: OpenAI, model: string) =>
      client.images.edit({ model, prompt: 'A cat', image: await picture() }),
    speech: (client: OpenAI, model: string) =>
      client.audio.speech.create({ model, voice: 'alloy', input: 'Good evening.' }),
    transcript: async (client: OpenAI, model: string) =>
      client.audio.transcriptions.create({ model, file: await speech() }),
  };
  const models = {
    image: MODELS.painter,
    edit: MODELS.painter,
    speech: MODELS.speaker,
    transcript: MODELS.transcriber,
  };

  it.each(['image', 'edit', 'speech', 'transcript'] as const)(
    'throws the class of each refusal of a request for %s, and sends it once',
    async (what) => {
      const call = calls[what];
      const failed = (key: string, model: string = models[what], retries = 2) =>
        failureOf(() => call(clientOf(key, retries), model));
      const wrong = { name: 'AuthenticationError', status: 401, sent: 1 };
      expect(await failed('sk-wrong')).toMatchObject(wrong);
      expect(await failed(shop.poorKey)).toMatchObject({ name: 'APIError', status: 402, sent: 1 });
      const missing = { name: 'NotFoundError', status: 404, sent: 1 };
      expect(await failed(shop.key, 'no-such-model')).toMatchObject(missing);
      // Its client would wait as long as Retry-After says.
      const limited = { name: 'RateLimitError', status: 429, sent: 1 };
      expect(await failed(shop.limitedKey, models[what], 0)).toMatchObject(limited);
      expect(await shop.charged()).toBe(0);
    },
  );

  it('throws what a content policy says, and sends it once', async () => {
    const prompt = `A ${BLOCKED_WORD} cat`;
    const failure = await failureOf(() =>
      clientOf(shop.key).images.generate({ model: MODELS.painter, prompt }),
    );
    expect(failure).toMatchObject({
      ...{ name: 'BadRequestError', status: 400, sent: 1 },
      message: expect.stringContaining('rejected by the safety system') as string,
    });
    expect(await shop.charged()).toBe(0);
  });
});
