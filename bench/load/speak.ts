import type { Destination } from './request-shape.ts';

export interface SpeakOrder {
  readonly kind: 'speak';
  readonly destination: Destination;
  /** With its query. */
  readonly path: string;
  readonly key: string;
  /** Realtime sessions that are open at once. */
  readonly sessions: number;
  readonly seconds: number;
  /** Events of sound that a client sends while a reply comes, and their size. */
  readonly sent: { readonly events: number; readonly bytes: number };
}

/** A fifth of a second of a client's sound in base64, and how many come with a reply. */
const SENT = { events: 10, bytes: 12_800 };

/** Returns the order for spoken replies of a model, before a destination and a time are known. */
export function speakOrder({
  model,
  key,
  sessions,
}: {
  readonly model: string;
  readonly key: string;
  readonly sessions: number;
}): Omit<SpeakOrder, 'destination' | 'seconds'> {
  return { kind: 'speak', path: `/v1/realtime?model=${model}`, key, sessions, sent: SENT };
}

export interface SpeakResult {
  /** Replies that came whole. */
  readonly replies: number;
  /** Bytes of all messages, both ways. */
  readonly bytes: number;
  /** 200 for a whole reply, 0 for a session that was refused or broke. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly seconds: number;
}

const DONE = '"type":"response.done"';
const CREATED = '"type":"session.created"';
const ASK = '{"type":"response.create"}';

/** Asks for one reply after another in each session; every reply that was begun is heard out. */
export async function speak(order: SpeakOrder): Promise<SpeakResult> {
  const { destination, path, key, sessions, seconds, sent } = order;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  const audio = 'UklG'.repeat(Math.ceil(sent.bytes / 4));
  const append = JSON.stringify({ type: 'input_audio_buffer.append', audio });
  let replies = 0;
  let bytes = 0;
  let broken = 0;

  const converse = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://${destination.host}:${destination.port}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      let isDone = false;
      const ask = (): void => {
        socket.send(ASK);
        for (let event = 0; event < sent.events; event += 1) socket.send(append);
        bytes += ASK.length + sent.events * append.length;
      };
      socket.addEventListener('message', ({ data: message }) => {
        const data = String(message);
        bytes += data.length;
        // The events that are looked for are short ones.
        if (data.length > 1_000) return;
        if (data.includes(CREATED)) {
          ask();
          return;
        }
        if (!data.includes(DONE)) return;
        replies += 1;
        if (performance.now() < endMs) {
          ask();
          return;
        }
        isDone = true;
        socket.close();
      });
      socket.addEventListener('error', () => undefined);
      socket.addEventListener('close', () => {
        if (!isDone) broken += 1;
        resolve();
      });
    });

  await Promise.all(Array.from({ length: sessions }, converse));
  return {
    ...{ replies, bytes },
    statuses: broken === 0 ? { 200: replies } : { 200: replies, 0: broken },
    seconds: (performance.now() - startMs) / 1_000,
  };
}
