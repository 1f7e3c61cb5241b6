import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { startWeir } from '../../../support/weir.ts';
import {
  all200,
  openGateway,
  openGoogle,
  openVertexDatabase,
  statusesOf,
} from './support/minting-gateway.ts';
import { passHour } from './support/pass-hour.ts';

it('serves a thousand requests in an hour with two grants', async () => {
  const database = await openVertexDatabase();
  onTestFinished(() => database.close());
  const google = await openGoogle();
  await passHour(await openGateway(database, google), google, 1_000);
  expect(google.tokens.grants).toBe(2);
});

it('has one token for all threads of a process, and none of it in the log', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const google = await openGoogle();
  const weir = await startWeir({
    DATABASE_URL: database.url,
    GATEWAY_THREADS: '3',
    UPSTREAM_BASE_URL: google.baseUrl(),
    UPSTREAM_KIND: 'vertex',
    UPSTREAM_API_KEY: google.keyFile,
    ALLOW_PRIVATE_UPSTREAMS: 'true',
  });
  onTestFinished(async () => {
    await weir.end('SIGTERM');
  });
  const key = /\bsk-[\w-]+/.exec(weir.output())?.[0] ?? '';
  const send = (): Promise<Response> =>
    fetch(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      // Connections are spread over the threads.
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({
        model: 'gemini-3.8-flash',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
  expect(await statusesOf({ send }, 20)).toEqual(all200(20));
  google.tokens.revokeAll();
  expect(await statusesOf({ send }, 20)).toEqual(all200(20));
  expect(google.tokens.grants).toBe(2);
  expect(weir.output()).not.toMatch(/PRIVATE KEY|ya29/);
});
