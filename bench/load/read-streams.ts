import { HttpConnection } from './http-connection.ts';
import { Samples, type Quantiles } from './quantiles.ts';
import { requestBytes, type Destination, type RequestShape } from './request-shape.ts';

export interface ReadStreamsOrder {
  readonly kind: 'read_streams';
  readonly destination: Destination;
  readonly request: RequestShape;
  /** Streams open at once; each is followed by the next on the same connection. */
  readonly connections: number;
  readonly seconds: number;
}

export interface ReadStreamsResult {
  readonly streams: number;
  /** Events of all streams, `[DONE]` included. */
  readonly events: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly firstByteMs: Quantiles;
  readonly seconds: number;
}

/**
 * Reads streams one after another on each connection. Every stream that was begun is read to its
 * end.
 */
export async function readStreams(order: ReadStreamsOrder): Promise<ReadStreamsResult> {
  const startMs = performance.now();
  const endMs = startMs + order.seconds * 1000;
  const requests = requestBytes(order.request, order.destination);
  const firstByte = new Samples();
  const statuses: Record<number, number> = {};
  let streams = 0;
  let events = 0;

  const readOne = (connection: HttpConnection): Promise<void> =>
    new Promise((resolve) => {
      const sentMs = performance.now();
      const request = requests[streams % requests.length];
      if (request === undefined) throw new Error('A load needs at least one request.');
      streams += 1;
      connection.send(request, {
        onFirstByte: () => firstByte.push(performance.now() - sentMs),
        onEvents: (count) => {
          events += count;
        },
        onEnd: (status) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          resolve();
        },
      });
    });

  await Promise.all(
    Array.from({ length: order.connections }, async () => {
      const connection = new HttpConnection(order.destination);
      while (performance.now() < endMs && !connection.closed) await readOne(connection);
      connection.destroy();
    }),
  );
  return {
    streams,
    events,
    statuses,
    firstByteMs: firstByte.quantiles(),
    seconds: (performance.now() - startMs) / 1000,
  };
}
