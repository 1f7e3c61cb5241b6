import autocannon from 'autocannon';
import type { Quantiles } from './quantiles.ts';
import { variants, type Destination, type RequestShape, type Variant } from './request-shape.ts';

export interface SaturateOrder {
  readonly kind: 'saturate';
  readonly destination: Destination;
  readonly request: RequestShape;
  readonly connections: number;
  readonly seconds: number;
  /** Sends so many requests, however long it takes, instead of for so many seconds. */
  readonly requests?: number;
}

export interface SaturateResult {
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /**
   * Replies by status; 0 for requests whose connection broke or that waited too long for a reply.
   */
  readonly statuses: Readonly<Record<number, number>>;
  /**
   * Closed loop: each connection waits for its reply. Says how busy it was, not what clients see.
   */
  readonly latencyMs: Omit<Quantiles, 'count'>;
}

/** autocannon looks at the clock this often; a run lasts a whole number of these. */
const SAMPLE_MS = 100;

/**
 * As many requests as `connections` clients get answered, each waiting for its reply before the
 * next.
 */
export async function saturate(order: SaturateOrder): Promise<SaturateResult> {
  const { destination, request, connections } = order;
  const shares = deal(variants(request), connections);
  let next = 0;
  const result = await autocannon({
    url: `http://${destination.host}:${destination.port}${request.path}`,
    method: 'POST',
    connections,
    pipelining: 1,
    ...(order.requests === undefined ? { duration: order.seconds } : { amount: order.requests }),
    sampleInt: SAMPLE_MS,
    timeout: 30,
    setupClient: (client) => {
      const share = shares[next % shares.length] ?? [];
      next += 1;
      client.setRequests(
        share.map(({ body, headers }) => ({ method: 'POST', body, headers: { ...headers } })),
      );
    },
  });
  const { latency } = result;
  const statuses = Object.fromEntries(
    Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]),
  );
  const broken = brokenCount(result.requests, order);
  return {
    requests: result.requests.total,
    seconds: result.duration,
    requestsPerSecond: result.requests.total / result.duration,
    statuses: broken === 0 ? statuses : { ...statuses, 0: broken },
    latencyMs: {
      p50: latency.p50,
      p90: latency.p90,
      p99: latency.p99,
      p999: latency.p99_9,
      max: latency.max,
    },
  };
}

/**
 * Requests without a reply. autocannon connects again without a word when a server closes a
 * connection: only what it sent and what came back tell. A load that ends by the clock leaves each
 * connection with one request that is still under way.
 */
function brokenCount(
  { sent, total }: { readonly sent: number; readonly total: number },
  { connections, requests }: SaturateOrder,
): number {
  return Math.max(0, sent - total - (requests === undefined ? connections : 0));
}

/** Every connection gets requests of its own, so that together they send all of them in turn. */
function deal(all: readonly Variant[], connections: number): Variant[][] {
  const shares = Array.from({ length: Math.min(connections, all.length) }, (): Variant[] => []);
  for (const [index, variant] of all.entries()) shares[index % shares.length]?.push(variant);
  return shares;
}
