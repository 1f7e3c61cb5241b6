import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection } from './http-connection.ts';
import { requestBytes, type Destination, type RequestShape } from './request-shape.ts';

export interface HoldStreamsOrder {
  readonly kind: 'hold_streams';
  readonly destination: Destination;
  readonly request: RequestShape;
  readonly count: number;
}

export interface HoldStreamsResult {
  /** Streams whose first chunk has arrived and that are open now. */
  readonly open: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/** Streams being opened at once: fewer than a listen queue holds. */
const OPENING_MAX = 256;
const OPEN_TIMEOUT_MS = 60_000;
const SETTLE_MS = 200;

const held: HttpConnection[] = [];

/** Opens streams until `count` are open and keeps them so until `letGo`. */
export async function holdStreams(order: HoldStreamsOrder): Promise<HoldStreamsResult> {
  const [request] = requestBytes(order.request, order.destination);
  if (request === undefined) throw new Error('A load needs at least one request.');
  const deadlineMs = performance.now() + OPEN_TIMEOUT_MS;
  const statuses: Record<number, number> = {};
  let open = 0;
  let begun = 0;

  const openOne = (): Promise<void> =>
    new Promise((resolve) => {
      const connection = new HttpConnection(order.destination);
      held.push(connection);
      connection.send(request, {
        onFirstByte: () => {
          open += 1;
          resolve();
        },
        onEvents: () => undefined,
        // A stream that ends while it is held is a failure of the measurement, seen in `open`.
        onEnd: (status) => {
          open -= 1;
          statuses[status] = (statuses[status] ?? 0) + 1;
          resolve();
        },
      });
    });

  await Promise.all(
    Array.from({ length: OPENING_MAX }, async () => {
      while (begun < order.count && performance.now() < deadlineMs) {
        begun += 1;
        await openOne();
      }
    }),
  );
  await sleep(SETTLE_MS);
  return { open, statuses };
}

export function letGo(): void {
  for (const connection of held) connection.destroy();
  held.length = 0;
}
