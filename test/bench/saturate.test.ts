import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { saturate, type SaturateResult } from '../../bench/load/saturate.ts';
import { HANG_MS, until } from '../support/clocks/hang.ts';

const REQUESTS = 200;
const CONNECTIONS = 4;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Loads a server that answers the nth request as told. */
async function load(
  answer: (response: ServerResponse, index: number) => void,
  length: { readonly seconds: number; readonly requests?: number },
): Promise<SaturateResult> {
  let index = 0;
  server = createServer((request, response) => {
    request.resume();
    answer(response, index);
    index += 1;
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return saturate({
    kind: 'saturate',
    destination: { host: '127.0.0.1', port: address.port },
    request: { path: '/', bodies: ['{}'], headers: {}, keys: ['sk-any'] },
    connections: CONNECTIONS,
    ...length,
  });
}

/** Ends by its time; on a machine so busy that nothing came of it meanwhile, again. */
function loadForAWhile(answer: (response: ServerResponse) => void): Promise<SaturateResult> {
  return until('a reply', async () => {
    server?.close();
    const result = await load(answer, { seconds: 0.2 });
    return Object.keys(result.statuses).length > 0 && result;
  });
}

describe('the closed loop', () => {
  it('tells connections that break from replies', async () => {
    const everySecond = (response: ServerResponse, index: number): void => {
      if (index % 2 === 0) response.end('{}');
      else response.destroy();
    };
    const { statuses } = await load(everySecond, { seconds: HANG_MS / 1_000, requests: REQUESTS });
    expect(statuses).toEqual({ 0: REQUESTS / 2, 200: REQUESTS / 2 });
  });

  it('does not take what is under way at its end for broken', async () => {
    const { requests, statuses } = await loadForAWhile((response) => response.end('{}'));
    expect(statuses).toEqual({ 200: requests });
  });

  it('counts what breaks within a time', async () => {
    const { requests, statuses } = await loadForAWhile((response) => response.destroy());
    expect(requests).toBe(0);
    expect(Object.keys(statuses)).toEqual(['0']);
  });
});
