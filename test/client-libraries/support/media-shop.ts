import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startGateway } from '../../support/gateway.ts';
import { openTestLedger, settledState } from '../../support/ledger/money.ts';
import { seed, seedKey, seedModel } from '../../support/seed.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { startGoogleImages } from '../../support/upstreams/google-image-vendor.ts';
import { startImageVendor, type ImageVendor } from '../../support/upstreams/image-vendor.ts';
import { startRerankVendor, type RerankVendor } from '../../support/upstreams/rerank-vendor.ts';
import { startSpeechVendor, type SpeechVendor } from '../../support/upstreams/speech-vendor.ts';
import {
  startTranscriptionVendor,
  type TranscriptionVendor,
} from '../../support/upstreams/transcription-vendor.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;

/** The models on sale, by what they do. */
export const MEDIA_MODELS = {
  cohere: 'rerank-v3.5',
  jina: 'jina-reranker-v3',
  voyage: 'rerank-2.5',
  speaker: 'gpt-4o-mini-tts',
  painter: 'gpt-image-2',
  transcriber: 'gpt-4o-transcribe',
  whisper: 'whisper-1',
  moderator: 'omni-moderation-latest',
  geminiPainter: 'gemini-2.5-flash-image',
} as const;

/** A gateway that sells images, sound and rankings, with keys for each refusal. */
export interface MediaShop {
  /** Its address, by a proxy that counts requests. */
  readonly url: string;
  readonly key: string;
  /** A key of an account without money. */
  readonly poorKey: string;
  /** A key that may send one request a minute, and has. */
  readonly limitedKey: string;
  readonly rerankers: readonly RerankVendor[];
  readonly speaker: SpeechVendor;
  readonly painter: ImageVendor;
  readonly transcriber: TranscriptionVendor;
  /** Returns the cost since the last call in nanodollars; nothing is held. */
  charged(): Promise<number>;
  /** Returns the number of requests since the last call. */
  readonly counted: () => number;
  close(): Promise<void>;
}

/** Opens the shop. Whisper costs 100,000 nanodollars a second; all else 2 and 10 USD a million. */
export async function openMediaShop(): Promise<MediaShop> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const rerankers = await Promise.all(
    (['cohere', 'jina', 'voyage'] as const).map((name) => startRerankVendor(name)),
  );
  const speaker = await startSpeechVendor();
  const painter = await startImageVendor();
  const transcriber = await startTranscriptionVendor();
  const google = await startGoogleImages();
  const heard = `${transcriber.url}/v1`;
  const upstreams = [...rerankers, speaker, painter].map(({ url }) => url);
  const places = [...upstreams, heard, heard, painter.url, google.url];
  const seeded = await seed(pool, { upstreams: places, creditNanoUsd: CREDIT, models: [] });
  const { groupId, channelIds, accountId } = seeded;
  for (const [index, publicId] of Object.values(MEDIA_MODELS).entries()) {
    const own = channelIds.slice(index, index + 1);
    const isBySecond = publicId === MEDIA_MODELS.whisper;
    const prices = isBySecond ? { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } } : {};
    await seedModel(pool, prices, { publicId, groupId, channelIds: own });
  }
  await pool.query(
    `update prices set extra_prices = '{"second": 100000}'
     where model_id = (select id from models where public_id = $1)`,
    [MEDIA_MODELS.whisper],
  );
  await pool.query(`update channels set kind = 'gemini' where base_url = $1`, [google.url]);
  const poor = await seed(pool, { upstreams: [], creditNanoUsd: 0, models: [] });
  const { key: poorKey } = await seedKey(pool, poor.accountId, groupId);
  const { key: limitedKey, keyId } = await seedKey(pool, accountId, groupId);
  await pool.query('update keys set rpm = 1 where id = $1', [keyId]);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  const proxy = await countRequests(gateway.url);
  const { ledger, close: closeLedger } = await openTestLedger(pool, null);
  let spent = 0;
  await fetch(`${gateway.url}/v1/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${limitedKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MEDIA_MODELS.moderator, input: 'a' }),
  });
  return {
    ...{ url: proxy.url, key: seeded.key, poorKey, limitedKey },
    ...{ rerankers, speaker, painter, transcriber, counted: proxy.counted },
    charged: async () => {
      const state = await settledState(ledger, accountId);
      expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0 });
      const since = CREDIT - state.availableNanoUsd - spent;
      spent += since;
      return since;
    },
    close: async () => {
      proxy.close();
      expect(await gateway.close()).toBe(0);
      await closeLedger();
      google.close();
      await Promise.all([...rerankers, speaker, painter, transcriber].map((one) => one.close()));
      await pool.end();
      await database.drop();
    },
  };
}

interface CountingProxy {
  readonly url: string;
  readonly counted: () => number;
  close(): void;
}

/** A proxy without changes: what a client sends again by itself is counted there. */
async function countRequests(target: string): Promise<CountingProxy> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const { method, url = '/', headers } = incoming;
    const call = httpRequest(target + url, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counted: () => {
      const since = count;
      count = 0;
      return since;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
