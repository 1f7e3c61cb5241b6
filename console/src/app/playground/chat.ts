import { computed, signal } from '@angular/core';
import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import { ApiFailure, failureOf, type Failure } from '../core/api/api-failure';
import { readChat, readError, type ChatEvent } from './chat-events';
import type { TalkProtocol, TalkRequest, Turn } from './dialects/dialect';
import { DIALECTS } from './dialects/dialect-of';
import { roughTokens } from './running-cost';

export interface ChatMessage extends Turn {
  /** The failure after it. It stays, so that later replies do not hide it. */
  readonly failure?: Failure;
}

export interface ChatRequest extends Omit<TalkRequest, 'turns'> {
  /** The gateway's root. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly protocol: TalkProtocol;
}

/** Figures of the reply that runs or ran last. `exact` once the gateway has counted. */
export interface ReplyFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly exact: boolean;
  readonly firstTokenMs: number | null;
  readonly elapsedMs: number;
  readonly requestId: string | null;
  readonly finishReason: string | null;
}

export type ChatState = 'idle' | 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';

const NO_FIGURES: ReplyFigures = {
  inputTokens: 0,
  outputTokens: 0,
  exact: false,
  firstTokenMs: null,
  elapsedMs: 0,
  requestId: null,
  finishReason: null,
};

interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}

/**
 * A conversation with a model through the gateway, as any client would have it.
 *
 *   idle ─send→ waiting ─first text→ streaming ─end→ done
 *                  └────────┬──────────┘
 *                           ├─stop→ stopped    what was delivered by then is billed
 *                           └─error→ failed
 */
export class Chat {
  readonly #surroundings: Surroundings;
  readonly messages = signal<readonly ChatMessage[]>([]);
  readonly state = signal<ChatState>('idle');
  readonly failure = signal<Failure | undefined>(undefined);
  readonly figures = signal<ReplyFigures>(NO_FIGURES);
  readonly running = computed(() => this.state() === 'waiting' || this.state() === 'streaming');
  /** A request that failed, or was stopped, before anything was delivered is not billed. */
  readonly billable = computed(
    () =>
      (this.state() !== 'failed' && this.state() !== 'stopped') ||
      this.figures().firstTokenMs !== null,
  );
  #abort: AbortController | undefined;
  #startedMs = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  async send(text: string, request: ChatRequest): Promise<void> {
    if (this.running()) return;
    this.messages.update((messages) => [...messages, { role: 'user', content: text }]);
    this.#begin(request);
    try {
      const body = await this.#open(request);
      const dialect = DIALECTS[request.protocol];
      for await (const event of readChat(body, dialect)) this.#take(event);
      this.#finish();
    } catch (thrown) {
      this.#break(thrown);
    }
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** The counts of the bill: a reply that was stopped came without any. */
  noteBilled(requestId: string, tokens: { readonly input: number; readonly output: number }): void {
    if (this.figures().requestId !== requestId) return;
    const { input: inputTokens, output: outputTokens } = tokens;
    this.figures.update((figures) => ({ ...figures, inputTokens, outputTokens, exact: true }));
  }

  /** A new conversation. */
  clear(): void {
    this.stop();
    this.messages.set([]);
    this.figures.set(NO_FIGURES);
    this.failure.set(undefined);
    this.state.set('idle');
  }

  #begin({ system }: ChatRequest): void {
    const asked = this.messages().map(({ content }) => content);
    this.#abort = new AbortController();
    this.#startedMs = this.#surroundings.now();
    this.failure.set(undefined);
    this.state.set('waiting');
    this.figures.set({
      ...NO_FIGURES,
      inputTokens: roughTokens([system ?? '', ...asked].join('')),
    });
  }

  async #open(request: ChatRequest): Promise<ReadableStream<Uint8Array>> {
    const { gatewayUrl, key, model, protocol } = request;
    const dialect = DIALECTS[protocol];
    const turns = this.messages().map(({ role, content }) => ({ role, content }));
    const response = await this.#surroundings.fetch(gatewayUrl + dialect.path(model), {
      method: 'POST',
      headers: { ...dialect.headers(key), 'content-type': 'application/json' },
      // No cookies: the gateway knows keys only.
      credentials: 'omit',
      body: JSON.stringify(dialect.body({ ...request, turns })),
      signal: this.#abort?.signal ?? null,
    });
    const requestId = response.headers.get('x-request-id');
    this.figures.update((figures) => ({ ...figures, requestId }));
    if (response.ok && response.body !== null) return response.body;
    const error = readError(await response.json().catch(() => undefined));
    throw this.#failure(error, { status: response.status, requestId });
  }

  #failure(
    error: { message: string; code: string } | undefined,
    about: { readonly status: number; readonly requestId: string | null },
  ): ApiFailure {
    const code = error?.code ?? '';
    return new ApiFailure({
      code: isErrorCode(code) ? code : 'unknown',
      detail: error?.message ?? '',
      ...about,
    });
  }

  #take(event: ChatEvent): void {
    switch (event.kind) {
      case 'text':
        this.#takeText(event.text);
        return;
      case 'finish':
        this.figures.update((figures) => ({ ...figures, finishReason: event.reason }));
        return;
      case 'usage': {
        const { input: inputTokens, output: outputTokens } = event;
        this.figures.update((figures) => ({ ...figures, inputTokens, outputTokens, exact: true }));
        return;
      }
      case 'error':
        throw this.#failure(event, { status: 200, requestId: this.figures().requestId });
      case 'end':
        return;
    }
  }

  #takeText(text: string): void {
    const elapsedMs = this.#surroundings.now() - this.#startedMs;
    if (this.state() === 'waiting') {
      this.state.set('streaming');
      this.messages.update((messages) => [...messages, { role: 'assistant', content: '' }]);
      this.figures.update((figures) => ({ ...figures, firstTokenMs: elapsedMs }));
    }
    this.messages.update((messages) => {
      const last = messages.at(-1);
      const content = (last?.content ?? '') + text;
      return [...messages.slice(0, -1), { role: 'assistant', content }];
    });
    const outputTokens = roughTokens(this.messages().at(-1)?.content ?? '');
    this.figures.update((figures) => ({ ...figures, outputTokens, elapsedMs }));
  }

  #finish(): void {
    this.#stampEnd();
    this.state.set('done');
  }

  #break(thrown: unknown): void {
    this.#stampEnd();
    if (this.#abort?.signal.aborted === true) {
      this.state.set('stopped');
      return;
    }
    // The browser does not say why a request to another origin failed; this is the nearest word.
    const unreachable = thrown instanceof TypeError;
    const failure = unreachable ? new ApiFailure({ code: 'unreachable' }) : failureOf(thrown);
    this.failure.set(failure);
    this.messages.update((messages) => {
      const last = messages.at(-1);
      return last === undefined ? messages : [...messages.slice(0, -1), { ...last, failure }];
    });
    this.state.set('failed');
  }

  #stampEnd(): void {
    const elapsedMs = this.#surroundings.now() - this.#startedMs;
    this.figures.update((figures) => ({ ...figures, elapsedMs }));
  }
}
