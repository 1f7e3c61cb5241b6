import type pg from 'pg';
import { seedVoices } from '../../gateway/data-plane/realtime/support/realtime-service.ts';
import type { Random } from '../../simulator/random.ts';
import { seed } from '../../support/seed.ts';
import { startImageVendor } from '../../support/upstreams/image-vendor.ts';
import { startRealtimeVendor } from '../../support/upstreams/realtime-vendor.ts';
import { startRerankVendor } from '../../support/upstreams/rerank-vendor.ts';
import { startSpeechVendor } from '../../support/upstreams/speech-vendor.ts';
import { startTranscriptionVendor } from '../../support/upstreams/transcription-vendor.ts';
import type { MediaAccount, MediaKind } from './media-account.ts';
import { PRICES, RERANK_TOKENS_MAX, TRANSCRIPT_SECONDS_MAX } from './prices.ts';
import { SpokenReplies } from './spoken-replies.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
const UNSETTLED = 0.1;

/** Upstreams of everything that is not sold by tokens of text, and their customers. */
export interface Media {
  readonly accounts: readonly MediaAccount[];
  readonly speaker: { readonly id: string; readonly key: string };
  /** The replies of all sessions so far. */
  readonly spoken: SpokenReplies;
  /** Makes the next replies other ones; some go wrong. */
  unsettle(random: Random): void;
  close(): Promise<void>;
}

export async function startMedia(pool: pg.Pool, random: Random): Promise<Media> {
  const image = await startImageVendor();
  const speech = await startSpeechVendor();
  const transcription = await startTranscriptionVendor();
  const rerank = await startRerankVendor('jina');
  const voice = await startRealtimeVendor();
  const spoken = new SpokenReplies(random);
  voice.nextReply = () => spoken.make();
  speech.sound = Buffer.alloc(20_000, 1);
  speech.packetBytes = 4_000;
  const sold: readonly [MediaKind, upstreamName: string, url: string][] = [
    ['image', 'gpt-image-1', image.url],
    ['speech', 'tts-1', speech.url],
    ['transcript', 'whisper-1', `${transcription.url}/v1`],
    ['rerank', 'jina-reranker-v3', rerank.url],
  ];
  const accounts: MediaAccount[] = [];
  for (const [kind, upstreamName, url] of sold) {
    const models = [{ publicId: `${kind}-model`, upstreamName }];
    const prices = { inputNanoUsd: PRICES[kind].input, outputNanoUsd: 0 };
    const seeded = await seed(pool, { upstreams: [url], creditNanoUsd: CREDIT, models, prices });
    await pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [`${kind}-model`, PRICES[kind].extra],
    );
    accounts.push({ id: seeded.accountId, key: seeded.key, model: `${kind}-model`, kind });
  }
  const speaker = await seedVoices(pool, [voice.url], CREDIT);
  return {
    accounts,
    speaker: { id: speaker.accountId, key: speaker.key },
    spoken,
    unsettle: (moods) => {
      image.status = moods.chance(UNSETTLED) ? 500 : 200;
      image.breaksAfter = moods.chance(2 * UNSETTLED) ? 1 : Infinity;
      speech.breaksAfter = moods.chance(UNSETTLED) ? 8_000 : Infinity;
      const seconds = moods.between(1, TRANSCRIPT_SECONDS_MAX);
      transcription.change = (reply) => ({ ...reply, usage: { type: 'duration', seconds } });
      const tokens = moods.between(1, RERANK_TOKENS_MAX);
      rerank.change = (reply) => ({ ...reply, usage: { total_tokens: tokens } });
    },
    close: async () => {
      const all = [image, speech, transcription, rerank, voice];
      await Promise.all(all.map((vendor) => vendor.close()));
    },
  };
}
