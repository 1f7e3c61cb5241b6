import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { countWideCharacters, estimateTokens } from '../../../tokens/estimate-tokens.ts';
import type { ParsedRequest } from '../../protocol.ts';
import type { RealtimeTurn } from '../../realtime.ts';
import { readReplyUsage, readTranscriptUsage, withoutZeros } from '../usage.ts';
import type { ContextSize } from './context-size.ts';

/** Sound of one token that the model speaks, as OpenAI counts it. */
const OUTPUT_MS_PER_TOKEN = 50;
/** The same of sound that is transcribed. */
const TRANSCRIBED_MS_PER_TOKEN = 100;

/** The text of a turn, whose tokens are estimated as it comes. */
class SaidText {
  #text = '';
  #wide = 0;

  add(delta: string): void {
    this.#text += delta;
    this.#wide += countWideCharacters(delta);
  }

  replace(text: string): void {
    this.#text = text;
    this.#wide = countWideCharacters(text);
  }

  get tokensEstimate(): number {
    return estimateTokens(this.#text.length - this.#wide, this.#wide);
  }

  toString(): string {
    return this.#text;
  }
}

/** One reply of the model. */
export class ReplyTurn implements RealtimeTurn {
  readonly request: ParsedRequest;
  /** The upstream's id of the reply; null until it has begun. */
  id: string | null = null;
  /** The id of the event that has asked for it; null where the upstream began it by itself. */
  readonly eventId: string | null;
  /** It does not stay in the conversation, and its usage says nothing about that. */
  isAside = false;
  usage: TokenCounts | null = null;
  readonly #context: Pick<ContextSize, 'tokens' | 'audioTokens'>;
  #soundMs = 0;
  readonly #text = new SaidText();

  constructor(request: ParsedRequest, context: ContextSize, eventId: string | null) {
    this.request = request;
    this.#context = { tokens: context.tokens, audioTokens: context.audioTokens };
    this.eventId = eventId;
  }

  get isEstimate(): boolean {
    return this.usage === null;
  }

  get outputTokensEstimate(): number {
    return this.#audioTokens + this.#text.tokensEstimate;
  }

  get #audioTokens(): number {
    return Math.ceil(this.#soundMs / OUTPUT_MS_PER_TOKEN);
  }

  heard(soundMs: number): void {
    this.#soundMs += soundMs;
  }

  said(text: string): void {
    this.#text.add(text);
  }

  report(usage: unknown): void {
    this.usage = readReplyUsage(usage) ?? null;
  }

  countDelivered(): TokenCounts {
    const { tokens, audioTokens } = this.#context;
    const extra = withoutZeros({ audioInput: audioTokens, audioOutput: this.#audioTokens });
    return {
      input: Math.max(1, tokens),
      cachedInput: 0,
      cacheWrite: 0,
      output: this.#audioTokens,
      reasoning: 0,
      ...(extra && { extra }),
    };
  }

  deliveredText(): string {
    return this.#text.toString();
  }
}

/** The transcript of what a user has said, by a model of its own. */
export class TranscriptTurn implements RealtimeTurn {
  readonly mayNotCome = true;
  readonly request: ParsedRequest;
  readonly id: string;
  usage: TokenCounts | null = null;
  #measuresSeconds = true;
  readonly #ms: number;
  readonly #text = new SaidText();

  constructor(request: ParsedRequest, id: string, ms: number) {
    this.request = request;
    this.id = id;
    this.#ms = ms;
  }

  get isEstimate(): boolean {
    return this.#measuresSeconds;
  }

  get outputTokensEstimate(): number {
    return this.#text.tokensEstimate;
  }

  said(text: string): void {
    this.#text.add(text);
  }

  /** @param transcript the whole text, of which the client may have got parts before */
  report(usage: unknown, transcript: string): void {
    this.#text.replace(transcript);
    this.usage = readTranscriptUsage(usage, this.#ms) ?? null;
    const reported = (usage as { readonly type?: unknown } | null | undefined)?.type;
    this.#measuresSeconds = this.usage === null || reported !== 'duration';
  }

  countDelivered(): TokenCounts {
    const input = Math.max(1, Math.ceil(this.#ms / TRANSCRIBED_MS_PER_TOKEN));
    const extra = { audioInput: input, second: this.#ms };
    return { input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, extra };
  }

  deliveredText(): string {
    return this.#text.toString();
  }
}
