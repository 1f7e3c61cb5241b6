import { computed, signal } from '@angular/core';
import * as Type from 'typebox';
import { Check } from 'typebox/value';
import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import { ApiFailure, failureOf, type Failure } from '../../core/api/api-failure';
import { readError } from '../chat-events';
import type { MediaKind } from './media-kind';
import type { MediaRequest } from './media-request';

/** The result of a request. */
export type MediaResult =
  | { readonly kind: 'image'; readonly addresses: readonly string[] }
  | { readonly kind: 'speech'; readonly address: string }
  | { readonly kind: 'transcript'; readonly text: string };

export type MediaState = 'idle' | 'waiting' | 'done' | 'stopped' | 'failed';

interface Surroundings {
  readonly fetch: typeof fetch;
  /** Makes an address of bytes, and takes it back. */
  readonly addresses: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>;
}

/** The gateway that a request goes to, and the key that pays. */
export interface Sender {
  readonly gatewayUrl: string;
  readonly key: string;
}

const ImagesReply = Type.Object({
  data: Type.Array(
    Type.Object({ b64_json: Type.Optional(Type.String()), url: Type.Optional(Type.String()) }),
  ),
  output_format: Type.Optional(Type.String()),
});
const TranscriptReply = Type.Object({ text: Type.String() });

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}

/** One request for an image, speech or a transcript, as any client would send it. */
export class MediaRun {
  readonly #surroundings: Surroundings;
  #abort: AbortController | undefined;
  readonly state = signal<MediaState>('idle');
  readonly result = signal<MediaResult | undefined>(undefined);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly requestId = signal<string | null>(null);
  readonly running = computed(() => this.state() === 'waiting');

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  async send(kind: MediaKind, request: MediaRequest, sender: Sender): Promise<void> {
    this.clear();
    const abort = new AbortController();
    this.#abort = abort;
    this.state.set('waiting');
    try {
      const reply = await this.#post(request, sender, abort.signal);
      const result = await this.#read(kind, reply);
      if (this.#abort !== abort) return;
      this.result.set(result);
      this.state.set('done');
    } catch (thrown) {
      if (this.#abort !== abort) return;
      if (abort.signal.aborted) {
        this.state.set('stopped');
        return;
      }
      // The browser does not say why a request to another origin failed.
      const isUnreachable = thrown instanceof TypeError;
      this.failure.set(isUnreachable ? new ApiFailure({ code: 'unreachable' }) : failureOf(thrown));
      this.state.set('failed');
    }
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** Forgets the last result, and takes its memory back. */
  clear(): void {
    const result = this.result();
    if (result?.kind === 'speech') this.#surroundings.addresses.revokeObjectURL(result.address);
    this.#abort = undefined;
    this.result.set(undefined);
    this.failure.set(undefined);
    this.requestId.set(null);
    this.state.set('idle');
  }

  async #post(request: MediaRequest, sender: Sender, signal: AbortSignal): Promise<Response> {
    const { path, body } = request;
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const reply = await this.#surroundings.fetch(sender.gatewayUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender.key}`, ...json },
      // No cookies: the gateway knows keys only.
      credentials: 'omit',
      body,
      signal,
    });
    const requestId = reply.headers.get('x-request-id');
    this.requestId.set(requestId);
    if (reply.ok) return reply;
    const error = readError(await reply.json().catch(() => undefined));
    const code = error?.code ?? '';
    throw new ApiFailure({
      code: isErrorCode(code) ? code : 'unknown',
      detail: error?.message ?? '',
      status: reply.status,
      requestId,
    });
  }

  async #read(kind: MediaKind, reply: Response): Promise<MediaResult> {
    if (kind === 'speech') {
      const { addresses } = this.#surroundings;
      return { kind, address: addresses.createObjectURL(await reply.blob()) };
    }
    const body: unknown = await reply.json();
    if (kind === 'transcript' && Check(TranscriptReply, body)) return { kind, text: body.text };
    if (kind === 'image' && Check(ImagesReply, body)) {
      const type = `image/${body.output_format ?? 'png'}`;
      const addresses = body.data.flatMap(({ b64_json: base64, url }) =>
        base64 === undefined ? (url ?? []) : `data:${type};base64,${base64}`,
      );
      return { kind, addresses };
    }
    throw new ApiFailure({ code: 'unknown' });
  }
}
