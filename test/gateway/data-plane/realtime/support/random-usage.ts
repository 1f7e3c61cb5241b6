import { VOICE_PRICES } from './realtime-service.ts';

/** The usage of a reply as OpenAI reports it, and its cost in nanodollars at `VOICE_PRICES`. */
export interface PricedUsage {
  readonly usage: Record<string, unknown>;
  readonly cost: number;
}

/**
 * Makes up a reply's usage; the cost is by the definition: tokens times prices, rounded up once.
 * @param below returns a whole number from 0 up to, not including, its argument
 */
export function randomUsage(below: (limit: number) => number): PricedUsage {
  const [text, sound, images] = [below(3_000), below(20_000), below(2_000)];
  const cached = [below(text + 1), below(sound + 1), below(images + 1)];
  const [cachedText = 0, cachedSound = 0, cachedImages = 0] = cached;
  const [textOut, soundOut] = [1 + below(400), below(3_000)];
  const parts: [number, number][] = [
    [text - cachedText, VOICE_PRICES.input],
    [cachedText, VOICE_PRICES.cachedInput],
    [sound - cachedSound, VOICE_PRICES.audioInput],
    [cachedSound, VOICE_PRICES.cachedAudioInput],
    [images - cachedImages, VOICE_PRICES.imageInput],
    [cachedImages, VOICE_PRICES.cachedImageInput],
    [textOut, VOICE_PRICES.output],
    [soundOut, VOICE_PRICES.audioOutput],
  ];
  const sum = parts.reduce((total, [count, price]) => total + BigInt(count) * BigInt(price), 0n);
  return {
    cost: Number((sum + 999_999n) / 1_000_000n),
    usage: {
      input_tokens: text + sound + images,
      output_tokens: textOut + soundOut,
      input_token_details: {
        ...{ text_tokens: text, audio_tokens: sound, image_tokens: images },
        cached_tokens: cachedText + cachedSound + cachedImages,
        cached_tokens_details: {
          ...{ text_tokens: cachedText, audio_tokens: cachedSound, image_tokens: cachedImages },
        },
      },
      output_token_details: { text_tokens: textOut, audio_tokens: soundOut },
    },
  };
}
