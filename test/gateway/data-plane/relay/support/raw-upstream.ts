import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The reply to every request, byte for byte. */
export interface RawReply {
  readonly status?: number;
  /** '' sends no content type. */
  readonly contentType: string;
  /** Packets of the body. */
  readonly packets: readonly (string | Buffer)[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawUpstream {
  readonly url: string;
  /** Bodies of requests, as they came. */
  readonly bodies: string[];
  reply: RawReply;
  /** Replies to requests whose path begins with `/<lane>/`. */
  readonly lanes: Map<string, RawReply>;
  /** Number of replies in each lane. */
  readonly answered: Map<string, number>;
  close(): Promise<void>;
}

/** An upstream that sends what the test has set, to every path or to those of a lane. */
export async function startRawUpstream(): Promise<RawUpstream> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const [, lane = ''] = (request.url ?? '').split('/');
      const ofLane = upstream.lanes.get(lane);
      if (ofLane === undefined) upstream.bodies.push(Buffer.concat(pieces).toString());
      else upstream.answered.set(lane, (upstream.answered.get(lane) ?? 0) + 1);
      const { status = 200, contentType, packets, headers = {} } = ofLane ?? upstream.reply;
      const type = contentType === '' ? {} : { 'content-type': contentType };
      response.writeHead(status, { ...type, ...headers });
      for (const packet of packets) response.write(packet);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: RawUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: [],
    lanes: new Map(),
    answered: new Map(),
    reply: { contentType: 'application/json', packets: ['{}'] },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}
