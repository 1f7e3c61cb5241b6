import { afterEach } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';

const started: Weir[] = [];

/** Starts Weir with one thread; it is killed when the test ends. */
export async function start(env: Record<string, string>): Promise<Weir> {
  const weir = await startWeir({ GATEWAY_THREADS: '1', LEDGER_TIMEOUT_MS: '50000', ...env });
  started.push(weir);
  return weir;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((weir) => weir.end('SIGKILL')));
});

export function ask(weir: Weir, key: string, stream = false): Promise<Response> {
  return fetch(`${weir.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      stream,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
}

/** A connection that was there before may still be served. */
export const untilNoRequestIsTaken = ({ url }: Weir): Promise<boolean> =>
  until('no new request is taken', () =>
    fetch(`${url}/health`).then(
      () => false,
      () => true,
    ),
  );
