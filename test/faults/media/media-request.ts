import { wavOf } from '../../gateway/platform/audio/support/audio-bytes.ts';
import type { Random } from '../../simulator/random.ts';
import type { MediaAccount } from './media-account.ts';
import { IMAGE_PRICES, PRICES, SECONDS_MIN, TRANSCRIPT_SECONDS_MAX } from './prices.ts';

/** One request for something that is sold by a unit. */
export interface MediaRequest {
  readonly path: string;
  readonly body: string | FormData;
  /**
   * Returns the cost of a whole reply, computed from what the client has got; undefined where the
   * reply is not whole.
   */
  readonly costOf: (reply: string) => number | undefined;
}

/** Makes up a request for what the account buys. */
export function mediaRequest(random: Random, { kind, model }: MediaAccount): MediaRequest {
  return MAKE[kind](random, model);
}

const MAKE: Readonly<
  Record<MediaAccount['kind'], (random: Random, model: string) => MediaRequest>
> = {
  image: (random, model) => {
    const stream = random.chance(0.4);
    const asked = {
      ...{ model, prompt: 'A weir.', n: stream ? 1 : random.between(1, 4) },
      size: random.pick(['auto', '1024x1024', '1536x1024']),
      quality: random.pick(['auto', 'low', 'high']),
      ...(stream && { stream, partial_images: 2 }),
    };
    return {
      path: '/v1/images/generations',
      body: JSON.stringify(asked),
      costOf: (reply) => imageCost(stream ? completedEvent(reply) : reply),
    };
  },
  speech: (random, model) => {
    const input = 'Ζ👋'.repeat(random.between(1, 400));
    const cost = Array.from(input).length * 15_000;
    const body = JSON.stringify({ model, input, voice: 'alloy' });
    return { path: '/v1/audio/speech', body, costOf: () => cost };
  },
  transcript: (random, model) => {
    const body = new FormData();
    body.set('model', model);
    // Some are kept on disk.
    const ms = random.between(TRANSCRIPT_SECONDS_MAX, 2 * TRANSCRIPT_SECONDS_MAX) * 1_000;
    body.set('file', new File([wavOf(ms)], 'speech.wav', { type: 'audio/wav' }));
    return { path: '/v1/audio/transcriptions', body, costOf: transcriptCost };
  },
  rerank: (_random, model) => ({
    path: '/v1/rerank',
    body: JSON.stringify({ model, query: 'Who?', documents: ['Homer', 'Sappho'] }),
    costOf: (reply) => {
      const { usage } = JSON.parse(reply) as { usage: { total_tokens: number } };
      return usage.total_tokens * (PRICES.rerank.input / 1_000_000);
    },
  }),
};

function completedEvent(stream: string): string | undefined {
  const line = stream.split('\n').find((one) => one.startsWith('data: {"type":"image_generation'));
  const completed = /^data: (\{.*"type":"image_generation\.completed".*\})$/m.exec(stream)?.[1];
  return line === undefined ? undefined : completed;
}

function imageCost(reply: string | undefined): number | undefined {
  if (reply === undefined) return undefined;
  const { size, quality, data } = JSON.parse(reply) as Record<string, unknown>;
  const count = Array.isArray(data) ? data.length : 1;
  if (size === '1024x1024' && quality === 'low') return count * IMAGE_PRICES['1024x1024 low'];
  return count * (quality === 'high' ? IMAGE_PRICES.high : IMAGE_PRICES.other);
}

function transcriptCost(reply: string): number {
  const { usage } = JSON.parse(reply) as { usage: { seconds: number } };
  return Math.max(usage.seconds, SECONDS_MIN) * 100_001;
}
