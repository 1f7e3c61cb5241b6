import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination } from './request-shape.ts';

export interface UploadOrder {
  readonly kind: 'upload';
  readonly destination: Destination;
  readonly path: string;
  readonly model: string;
  /** Used in turn. */
  readonly keys: readonly string[];
  readonly uploads: number;
  /** The size of the file in each. */
  readonly bytes: number;
  /** The pace of each. */
  readonly bytesPerSecond: number;
}

export interface UploadResult {
  /** Replies by status; 0 for connections that broke. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly seconds: number;
}

const PIECE = Buffer.alloc(64 * 1024, 0x41);
const BOUNDARY = 'bench-boundary';
/** They begin within this share of the time that one takes, as the files of many clients do. */
const SPREAD = 0.2;

/** Sends forms with one large file each, at the same time and at a fixed pace. */
export async function upload(order: UploadOrder): Promise<UploadResult> {
  const startMs = performance.now();
  const statuses: Record<number, number> = {};
  const spreadMs = (SPREAD * 1_000 * order.bytes) / order.bytesPerSecond;
  await Promise.all(
    Array.from({ length: order.uploads }, async (_none, index) => {
      await sleep((index * spreadMs) / order.uploads);
      const status = await sendOne(order, order.keys[index % order.keys.length] ?? '');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  return { statuses, seconds: (performance.now() - startMs) / 1_000 };
}

async function sendOne(order: UploadOrder, key: string): Promise<number> {
  const { destination, path, model, bytes, bytesPerSecond } = order;
  const field = (name: string, value: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head =
    field('model', model) +
    field('prompt', 'Make it blue.') +
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const end = `\r\n--${BOUNDARY}--\r\n`;
  const request = httpRequest({
    ...{ host: destination.host, port: destination.port, path, method: 'POST', agent: false },
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': Buffer.byteLength(head) + bytes + Buffer.byteLength(end),
    },
  });
  const reply = new Promise<number>((resolve) => {
    request.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', () => resolve(0));
  });
  request.write(head);
  const startMs = performance.now();
  for (let sent = 0; sent < bytes && !request.destroyed; sent += PIECE.length) {
    const dueMs = startMs + (1_000 * sent) / bytesPerSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    request.write(PIECE.subarray(0, Math.min(PIECE.length, bytes - sent)));
  }
  request.end(end);
  return reply;
}
