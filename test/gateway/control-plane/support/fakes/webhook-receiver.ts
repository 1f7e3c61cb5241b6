import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** The statuses of the next replies; then 204. `null` never replies. */
  readonly statuses: (number | null)[];
  close(): Promise<void>;
}

/** A server on 127.0.0.1 that keeps what is posted to it. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const statuses: (number | null)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ headers: request.headers, body, path: request.url ?? '' });
      const status = statuses.length > 0 ? statuses.shift() : 204;
      if (status === null || status === undefined) return;
      const headers = status === 302 ? { location: '/elsewhere' } : {};
      response.writeHead(status, headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/hook/a-secret-path`,
    received,
    statuses,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
