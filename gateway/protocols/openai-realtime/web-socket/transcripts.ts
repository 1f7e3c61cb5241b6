import type { ParsedRequest } from '../../protocol.ts';
import { parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import type { UpstreamEvent } from '../../realtime.ts';
import { replyRequest } from '../from-client/parse-request.ts';
import type { SessionModels } from './session-models.ts';
import type { SoundFormats } from './sound-formats.ts';
import { TranscriptTurn } from './turns.ts';

const DELTA = 'conversation.item.input_audio_transcription.delta';
const COMPLETED = 'conversation.item.input_audio_transcription.completed';
const FAILED = 'conversation.item.input_audio_transcription.failed';
const COMMITTED = 'input_audio_buffer.committed';

/** No one says more: about ten words in three seconds are usual. */
const TOKENS_PER_SECOND_MAX = 20;
/** Sound of one token at most, and the model's own instructions. */
const MS_PER_TOKEN_MIN = 25;
const PREAMBLE_TOKENS = 256;
/** Transcripts that have ended are remembered, so that one that comes twice is one bill. */
const ENDED_MAX = 256;

/** The transcripts of what the user says, if the client has asked for them. */
export class Transcripts {
  readonly #models: SessionModels;
  readonly #formats: SoundFormats;
  readonly #turns = new Map<string, TranscriptTurn>();
  readonly #ended = new Set<string>();
  /** Characters of Base64 in the upstream's buffer. */
  #buffered = 0;

  constructor(models: SessionModels, formats: SoundFormats) {
    this.#models = models;
    this.#formats = formats;
  }

  appended(characters: number): void {
    this.#buffered += characters;
  }

  cleared(): void {
    this.#buffered = 0;
  }

  /** Returns undefined for other events. */
  read(
    type: string,
    { bytes: frame }: { readonly bytes: Buffer; readonly members: MemberSpans },
  ): UpstreamEvent | undefined {
    if (![COMMITTED, DELTA, COMPLETED, FAILED].includes(type)) return undefined;
    const event = parseOwnObject(frame) ?? {};
    const id = stringOf(event['item_id']);
    if (type === COMMITTED) return this.#committed(id, frame);
    if (this.#ended.has(id)) return { kind: 'passes', frame };
    const turn = this.#turns.get(id) ?? this.#begin(id);
    if (type === DELTA) {
      turn.said(stringOf(event['delta']));
      return { kind: 'delivers', frame, turn };
    }
    this.#end(id);
    if (type === COMPLETED) turn.report(event['usage'], stringOf(event['transcript']));
    return { kind: 'ends', frame, turn };
  }

  #committed(id: string, frame: Buffer): UpstreamEvent {
    if (this.#turns.has(id) || this.#ended.has(id)) return { kind: 'passes', frame };
    if (!this.#models.transcribes) {
      this.#buffered = 0;
      return { kind: 'passes', frame };
    }
    return { kind: 'begins', frame, turn: this.#begin(id) };
  }

  #begin(id: string): TranscriptTurn {
    const ms = this.#formats.inputMs(this.#buffered);
    this.#buffered = 0;
    const turn = new TranscriptTurn(transcriptRequest(this.#models.transcription, ms), id, ms);
    this.#turns.set(id, turn);
    return turn;
  }

  #end(id: string): void {
    this.#turns.delete(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function transcriptRequest(model: string, ms: number): ParsedRequest {
  const prompt = Math.ceil(ms / MS_PER_TOKEN_MIN) + PREAMBLE_TOKENS;
  const request = replyRequest(model, {
    promptTokensBound: prompt,
    promptTokensEstimate: prompt,
    maxOutputTokens: Math.ceil((ms / 1_000) * TOKENS_PER_SECOND_MAX) + PREAMBLE_TOKENS,
  });
  const variant = { words: [], open: 0 };
  // Held for in full: it is short, and nothing can end it.
  return {
    ...request,
    heldInSlices: false,
    units: { meter: 'second', count: Math.max(1_000, ms + 1_000), variant },
  };
}
