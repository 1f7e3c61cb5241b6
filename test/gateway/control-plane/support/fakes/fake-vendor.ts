import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vendor whose API tells what is left, as each test wants it. */
export interface FakeVendor {
  readonly url: string;
  /** The requests, with their credentials. */
  readonly asked: { readonly path: string; readonly authorization: string }[];
  /** Answers a path; for one credential alone where it is named. */
  answer(path: string, reply: object | { readonly status: number }, credential?: string): void;
  close(): Promise<void>;
}

export async function startFakeVendor(): Promise<FakeVendor> {
  const asked: FakeVendor['asked'] = [];
  const replies = new Map<string, object>();
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    const authorization = headers.authorization ?? '';
    asked.push({ path, authorization });
    const credential = authorization.replace('Bearer ', '');
    const reply = replies.get(`${path} ${credential}`) ?? replies.get(path) ?? { status: 404 };
    const status = 'status' in reply && typeof reply.status === 'number' ? reply.status : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    answer: (path, reply, credential) =>
      void replies.set(credential === undefined ? path : `${path} ${credential}`, reply),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
