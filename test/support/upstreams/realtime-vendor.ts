import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver, Sender } from 'ws';
import { refusalOf, type RefusedEvent } from './realtime-refusals.ts';
import { DEFAULT_REPLY, type ReplyPoint, type VendorReply } from './realtime-reply.ts';

type Json = Record<string, unknown>;

const MODELS = ['gpt-realtime', 'gpt-realtime-mini'];
const BYTES_PER_MS = 48;

const DEFAULT_TRANSCRIPT_USAGE = { type: 'duration', seconds: 2 };

class VendorSession {
  readonly #connection: Duplex;
  readonly #sender: Sender;
  readonly #vendor: RealtimeVendor;
  #bufferedBytes = 0;
  #active: string | null = null;
  #isCancelled = false;
  #count = 0;
  #transcribes: string | null = null;
  #hasVad = false;

  constructor(connection: Duplex, model: string, vendor: RealtimeVendor) {
    this.#connection = connection;
    this.#vendor = vendor;
    this.#sender = new Sender(connection);
    const receiver = new Receiver({ isServer: true, maxPayload: 32 * 1024 * 1024 });
    receiver.on('message', (data) => this.#take(data));
    receiver.on('conclude', (code) => {
      vendor.closedWith = code;
      connection.end();
    });
    receiver.on('error', () => connection.destroy());
    connection.on('data', (chunk: Buffer) => receiver.write(chunk));
    connection.on('end', () => connection.end());
    connection.on('error', () => connection.destroy());
    connection.on('close', () => vendor.left(this));
    if (vendor.firstError !== null) {
      this.send({
        type: 'error',
        error: { type: 'server_error', message: vendor.firstError },
      });
      this.close(4000, 'server_error');
      return;
    }
    const audio = {
      input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription: null },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'marin' },
    };
    this.send({
      type: 'session.created',
      session: { type: 'realtime', object: 'realtime.session', id: 'sess_1', model, audio },
    });
  }

  send(event: object): void {
    this.#count += 1;
    const text = JSON.stringify({ event_id: `event_${this.#count}`, ...event });
    this.#sender.send(text, { fin: true, binary: false, mask: false, compress: false });
  }

  get bufferedBytes(): number {
    return this.#connection.writableLength;
  }

  close(code: number | undefined, reason: string): void {
    this.#sender.close(code, reason, false);
    this.#connection.end();
  }

  cut(): void {
    this.#connection.destroy();
  }

  #take(data: Buffer): void {
    const event = JSON.parse(data.toString('utf8')) as Json;
    const refused = refusalOf(event);
    if (refused !== undefined) this.#refuse(event, refused);
    else this.#serve(event);
    if (this.#vendor.readsNothing) {
      this.#connection.pause();
      this.#vendor.isDeaf = true;
    }
    // Behind its effects.
    this.#vendor.received(event);
  }

  #refuse(event: Json, error: RefusedEvent): void {
    const { event_id: eventId = null } = event;
    this.send({
      type: 'error',
      error: { type: 'invalid_request_error', ...error, event_id: eventId },
    });
  }

  #serve(event: Json): void {
    switch (event['type']) {
      case 'session.update': {
        const { audio } = event['session'] as { audio?: { input?: Json } };
        const transcription = audio?.input?.['transcription'] as { model?: string } | undefined;
        if (transcription?.model !== undefined) this.#transcribes = transcription.model;
        if (audio?.input?.['turn_detection']) this.#hasVad = true;
        const session = { object: 'realtime.session', ...(event['session'] as Json) };
        this.send({ type: 'session.updated', session });
        return;
      }
      case 'input_audio_buffer.append': {
        this.#bufferedBytes += Buffer.from(String(event['audio']), 'base64').length;
        if (this.#hasVad) this.#commit();
        return;
      }
      case 'input_audio_buffer.commit': {
        const ms = this.#bufferedBytes / BYTES_PER_MS;
        if (ms < 100) {
          this.#refuse(event, {
            message: `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${ms.toFixed(2)}ms of audio.`,
            code: 'input_audio_buffer_commit_empty',
            param: null,
          });
          return;
        }
        this.#commit();
        return;
      }
      case 'conversation.item.create':
        this.send({ type: 'conversation.item.added', item: event['item'] });
        return;
      case 'response.cancel':
        if (this.#active === null) {
          this.#refuse(event, {
            message: 'Cancellation failed: no active response found',
            code: 'response_cancel_not_active',
            param: null,
          });
        } else {
          this.#isCancelled = true;
          this.#vendor.go();
        }
        return;
      case 'response.create':
        if (this.#active !== null) {
          this.#refuse(event, {
            message: `Conversation already has an active response in progress: ${this.#active}. Wait until the response is finished before creating a new one.`,
            code: 'conversation_already_has_active_response',
            param: null,
          });
          return;
        }
        void this.#reply();
    }
  }

  #commit(): void {
    const itemId = `item_${this.#count}`;
    this.#bufferedBytes = 0;
    this.send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
    if (this.#transcribes !== null && !this.#vendor.transcribesNothing) {
      const { transcriptUsage: usage } = this.#vendor;
      const about = { item_id: itemId, content_index: 0 };
      const type = 'conversation.item.input_audio_transcription';
      this.send({ type: `${type}.delta`, ...about, delta: 'hello ' });
      this.send({
        type: `${type}.completed`,
        ...about,
        transcript: 'hello there',
        ...(usage && { usage }),
      });
    }
    if (this.#hasVad && this.#active === null) void this.#reply();
  }

  async #reply(): Promise<void> {
    const reply = this.#vendor.nextReply?.() ?? this.#vendor.reply;
    const id = `resp_${this.#vendor.nextId()}`;
    this.#active = id;
    this.#isCancelled = false;
    if (await this.#stopsAt(reply, 'asked')) return;
    this.send({ type: 'rate_limits.updated', rate_limits: [] });
    this.send({ type: 'response.created', response: { id, status: 'in_progress', usage: null } });
    if (await this.#stopsAt(reply, 'created')) return;
    const about = { response_id: id, item_id: 'item_r', output_index: 0, content_index: 0 };
    if (reply.soundMs > 0) {
      const delta = Buffer.alloc(reply.soundMs * BYTES_PER_MS).toString('base64');
      this.send({ type: 'response.output_audio.delta', ...about, delta });
    }
    if (reply.transcript !== '') {
      const { transcript: delta } = reply;
      this.send({ type: 'response.output_audio_transcript.delta', ...about, delta });
    }
    if (await this.#stopsAt(reply, 'delta')) return;
    const status = this.#status();
    const done = { type: 'response.done', response: { id, status, usage: reply.usage } };
    this.#active = null;
    for (let times = 0; times < reply.reports; times += 1) this.send(done);
    await this.#stopsAt(reply, 'done');
  }

  #status(): string {
    return this.#isCancelled ? 'cancelled' : 'completed';
  }

  async #stopsAt(reply: VendorReply, point: ReplyPoint): Promise<boolean> {
    if (reply.pauseMs > 0) await sleep(reply.pauseMs);
    if (reply.cutsAt === point) {
      this.cut();
      return true;
    }
    if (reply.waitsAt === point && !this.#isCancelled) await this.#vendor.untilGo();
    return false;
  }
}

/** An upstream that speaks OpenAI's realtime interface, and refuses what its vendor refuses. */
export class RealtimeVendor {
  readonly reply: VendorReply = { ...DEFAULT_REPLY };
  /** Makes each reply another one; absent: all are `reply`. */
  nextReply: (() => VendorReply) | undefined;
  /** The usage of transcripts; null leaves it out. */
  transcriptUsage: Json | null = DEFAULT_TRANSCRIPT_USAGE;
  /** Every event that clients have sent, the oldest first. */
  readonly events: Json[] = [];
  readonly heads: { readonly path: string; readonly headers: Json }[] = [];
  /** Speech is committed, and neither transcribed nor refused. */
  transcribesNothing = false;
  /** Refuses sessions with this status over HTTP; null opens them. */
  refusesWith: number | null = null;
  /** The first event of a session is this error; null: `session.created`. */
  firstError: string | null = null;
  /** Sessions read nothing behind their next event. */
  readsNothing = false;
  /** A session reads nothing. */
  isDeaf = false;
  closedWith: number | null = null;
  url = '';
  readonly #sessions = new Set<VendorSession>();
  #ids = 0;
  #waiting: (() => void)[] = [];
  #watchers: (() => void)[] = [];

  get open(): number {
    return this.#sessions.size;
  }

  upgrade(path: string, headers: Json, connection: Duplex): void {
    this.heads.push({ path, headers });
    const model = new URL(path, 'http://vendor').searchParams.get('model') ?? '';
    const isKnown = path.startsWith('/v1/realtime?') && MODELS.includes(model);
    const status = this.refusesWith ?? (isKnown ? null : 404);
    if (status !== null) {
      const message = isKnown ? 'refused' : `The model \`${model}\` does not exist.`;
      const body = JSON.stringify({
        error: {
          message,
          type: status >= 500 ? 'server_error' : 'invalid_request_error',
          code: null,
        },
      });
      connection.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    const key = String(headers['sec-websocket-key']);
    const accept = hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    this.#sessions.add(new VendorSession(connection, model, this));
    this.#changed();
  }

  /** Forgets what has passed; replies are as at the beginning. */
  reset(): void {
    Object.assign(this.reply, DEFAULT_REPLY);
    Object.assign(this, { transcriptUsage: DEFAULT_TRANSCRIPT_USAGE, refusesWith: null });
    Object.assign(this, { firstError: null, closedWith: null });
    Object.assign(this, { readsNothing: false, isDeaf: false, transcribesNothing: false });
    this.events.length = 0;
    this.heads.length = 0;
  }

  received(event: Json): void {
    this.events.push(event);
    this.#changed();
  }

  left(session: VendorSession): void {
    this.#sessions.delete(session);
    this.#changed();
  }

  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  go(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const proceed of waiting) proceed();
  }

  untilGo(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#changed();
    });
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  closeSessions(code: number | undefined, reason: string): void {
    for (const session of this.#sessions) session.close(code, reason);
  }

  /** Bytes that the gateway has not taken. */
  bufferedBytes(): number {
    return [...this.#sessions].reduce((sum, session) => sum + session.bufferedBytes, 0);
  }

  send(event: object): void {
    for (const session of this.#sessions) session.send(event);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  #changed(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const wake of watchers) wake();
  }
}

export async function startRealtimeVendor(): Promise<RealtimeVendor & { close(): Promise<void> }> {
  const vendor = new RealtimeVendor();
  const connections = new Set<Duplex>();
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request, connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    vendor.upgrade(request.url ?? '', request.headers, connection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Object.assign(vendor, {
    close: () =>
      new Promise<void>((resolve) => {
        for (const connection of connections) connection.destroy();
        server.close(() => resolve());
      }),
  });
}
