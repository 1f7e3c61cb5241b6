import type { Refusal } from '../../platform/errors/refusal.ts';
import type { BodyBuffers } from '../http/body/body-buffers.ts';
import type { HeaderList } from '../http/exchange-context.ts';
import type { Exchange, StreamForm } from '../http/exchange.ts';
import type { BodyLimits } from '../http/body/incoming-body.ts';
import type { ReceivedForm, UploadLimits } from '../http/body/incoming-form.ts';
import type { ContentRecording } from './content-recording.ts';

/**
 * An exchange whose reply is recorded as it passes to the client. Headers are not.
 */
export class RecordingExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #recording: ContentRecording;

  constructor(exchange: Exchange, recording: ContentRecording) {
    this.#exchange = exchange;
    this.#recording = recording;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get path(): string {
    return this.#exchange.path;
  }

  get aborted(): boolean {
    return this.#exchange.aborted;
  }

  get streaming(): boolean {
    return this.#exchange.streaming;
  }

  header(lowerCaseName: string): string {
    return this.#exchange.header(lowerCaseName);
  }

  headerList(lowerCaseName: string): string {
    return this.#exchange.headerList(lowerCaseName);
  }

  query(): string {
    return this.#exchange.query();
  }

  remoteAddress(): string {
    return this.#exchange.remoteAddress();
  }

  onAborted(listener: () => void): void {
    this.#exchange.onAborted(listener);
  }

  readBody(limits: BodyLimits, buffers: BodyBuffers, sender: string): Promise<Buffer | Refusal> {
    return this.#exchange.readBody(limits, buffers, sender);
  }

  readForm(
    limits: UploadLimits,
    boundary: string,
    sender: string,
  ): Promise<ReceivedForm | Refusal> {
    return this.#exchange.readForm(limits, boundary, sender);
  }

  reply(status: number, headers: HeaderList, body: string | Uint8Array): void {
    this.#record(body);
    this.#exchange.reply(status, headers, body);
  }

  replyWithoutBody(status: number, headers: HeaderList, contentLength?: number): void {
    this.#exchange.replyWithoutBody(status, headers, contentLength);
  }

  startStream(headers: HeaderList, first: string | Uint8Array, form: StreamForm): boolean {
    this.#record(first);
    return this.#exchange.startStream(headers, first, form);
  }

  write(chunk: string | Uint8Array): boolean {
    this.#record(chunk);
    return this.#exchange.write(chunk);
  }

  onWritable(listener: () => void): void {
    this.#exchange.onWritable(listener);
  }

  endStream(last: string | Uint8Array): void {
    this.#record(last);
    this.#exchange.endStream(last);
  }

  breakOff(): void {
    this.#exchange.breakOff();
  }

  /** A client that has left gets none of it. */
  #record(bytes: string | Uint8Array): void {
    if (!this.#exchange.aborted) this.#recording.append(bytes);
  }
}
