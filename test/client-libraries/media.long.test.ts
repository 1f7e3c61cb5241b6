import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { EDITED_TOKENS } from '../support/upstreams/image-vendor.ts';
import { RANK_TOKENS, SEARCH_UNITS } from '../support/upstreams/rerank-vendor.ts';
import { TEXT } from '../support/upstreams/transcription-vendor.ts';
import { wavOf } from '../gateway/platform/audio/support/audio-bytes.ts';
import { fetchPython } from './support/fetch-python.ts';
import { MEDIA_MODELS as MODELS, openMediaShop, type MediaShop } from './support/media-shop.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const PACKAGES = ['cohere==7.3.1', 'voyageai==0.5.0', 'openai==3.57.0', 'aiohttp', 'requests'];
const FLOWS = fileURLToPath(new URL('support/media_flows.py', import.meta.url));
const RERANKERS = [MODELS.cohere, MODELS.jina, MODELS.voyage];
const IMAGE = 'aW1hZ2U=';

const python = await fetchPython(PACKAGES);
let shop: MediaShop;
let folder: string;

beforeAll(async () => {
  shop = await openMediaShop();
  shop.speaker.sound = Buffer.alloc(50_000, 7);
  folder = await mkdtemp(join(tmpdir(), 'weir-media-'));
});

afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
  await python?.remove();
});

describe.runIf(python !== undefined)('Python’s clients of rankings, images and sound', () => {
  it('read the replies of every upstream, and throw their own errors', async () => {
    const wav = join(folder, 'speech.wav');
    await writeFile(wav, wavOf(3_210));
    const { key, poorKey, limitedKey } = shop;
    const settings = { key, poorKey, limitedKey, models: RERANKERS, names: MODELS, wav };
    const came: unknown = JSON.parse(
      (await python?.run('python', [FLOWS, shop.url, JSON.stringify(settings)])) ?? '',
    );
    const indexes = [2, 1];
    const documents = ['Pindar', 'Sappho'];
    const rankings = [SEARCH_UNITS, null, null].map((units) => ({ indexes, units }));
    const ofVoyage = (tokens: unknown) => ({ indexes, documents, tokens });
    const image = 'image_generation';
    expect(came).toEqual({
      v1: rankings,
      v2: rankings,
      voyage: [expect.anything(), RANK_TOKENS, RANK_TOKENS].map(ofVoyage),
      thrown: ['NotFoundError', 'APIError', 'NotFoundError'],
      speech: { bytes: shop.speaker.sound.length, type: 'audio/mpeg' },
      images: {
        made: [IMAGE, IMAGE],
        edited: 2 * EDITED_TOKENS,
        streamed: [`${image}.partial_image`, `${image}.completed`],
      },
      sound: {
        ...{ json: TEXT, text: `${TEXT}\n`, streamed: 'transcript.text.done', srt: true },
        ...{ translated: TEXT, flagged: false },
      },
      errors: [
        ['AuthenticationError', 401, 'invalid_api_key'],
        ['APIStatusError', 402, 'insufficient_balance'],
        ['NotFoundError', 404, 'model_not_found'],
        ['RateLimitError', 429, 'rate_limit_exceeded'],
        ['BadRequestError', 400, 'content_policy_violation'],
      ],
      rankErrors: {
        401: ['UnauthorizedError', 'AuthenticationError'],
        402: ['ApiError', 'APIError'],
        429: ['TooManyRequestsError', 'RateLimitError'],
      },
      // It reads "detail" alone, and says that it is missing where it is.
      voyageReads: true,
      webUi: {
        ...{ image: IMAGE, edited: IMAGE, google: Buffer.from('image').toString('base64') },
        ...{ predict: [404, true], speech: shop.speaker.sound.length, heard: TEXT },
        lists: [404, 404],
      },
    });
  });
});
