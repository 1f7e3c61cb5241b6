import type { MeterPrices } from '@weir/shared/prices/meters';
import type { Sizes } from './sizes.ts';

/** The model whose stream has this many chunks; see load-upstream/reply-plan.ts. */
export function streamModel(chunks: number, { chunkIntervalMs }: Sizes): string {
  return `stream-${chunks}-${chunkIntervalMs}`;
}

/** Protocols of the streams that are measured alongside each other. */
export type StreamProtocol = 'chat' | 'messages' | 'responses' | 'gemini';

/** The same with `bedrock`: Messages in AWS's binary form, to clients and from upstreams. */
export type StreamForm = StreamProtocol | 'bedrock';

/** A model that is sold from a channel that speaks another protocol than chat completions. */
export interface ProtocolModel {
  readonly publicId: string;
  readonly upstreamName: string;
  readonly protocol: Exclude<StreamForm, 'chat'>;
}

/** The longest stream over each of the other protocols. */
export function protocolModels(sizes: Sizes): ProtocolModel[] {
  const upstreamName = streamModel(Math.max(...sizes.streamChunks), sizes);
  return (['messages', 'responses', 'gemini', 'bedrock'] as const).map((protocol) => ({
    publicId: `${protocol}-${upstreamName}`,
    upstreamName,
    protocol,
  }));
}

/** See load-upstream/reply-plan.ts and load-upstream/realtime-bytes.ts. */
export function imageModel({ imageBytes }: Sizes): string {
  return `image-${imageBytes}`;
}

export function speechModel({ speechBytes }: Sizes): string {
  return `speech-${speechBytes}`;
}

export function realtimeModel({ spokenEvents, chunkIntervalMs }: Sizes): string {
  return `realtime-${spokenEvents}-${SPOKEN_EVENT_BYTES}-${chunkIntervalMs}`;
}

/** Base64 of a tenth of a second of sound, about what OpenAI sends in one event. */
const SPOKEN_EVENT_BYTES = 6_400;

/** Prices of models that are sold by units, by the beginning of their names; nanodollars. */
export const UNIT_PRICES = {
  'image-': { image: 40_000_000 },
  'speech-': { character: 15_000_000_000 },
} as const satisfies Readonly<Record<string, MeterPrices>>;

export function slowModel({ slowMs }: Sizes): string {
  return `slow-${slowMs}`;
}

/** The stream whose first chunk is waited for. */
export const FIRST_CHUNK_STREAM = 'stream-5-2';

/** Models that differ in name only. */
export function manyModels(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `short-${index + 1}`);
}

/** Every model that some scenario asks for. */
export function modelNames(sizes: Sizes): string[] {
  return [
    'short',
    'hold',
    slowModel(sizes),
    FIRST_CHUNK_STREAM,
    imageModel(sizes),
    speechModel(sizes),
    realtimeModel(sizes),
    ...sizes.streamChunks.map((chunks) => streamModel(chunks, sizes)),
    ...manyModels(Math.max(...sizes.growth.models)),
  ];
}
