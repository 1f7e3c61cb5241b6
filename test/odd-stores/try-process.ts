import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import { startFakeUpstream } from '../support/upstreams/fake-upstream.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { runMark } from '../support/machine/run-remains.ts';
import { seed, TEST_SECRET_KEY } from '../support/seed.ts';
import { startWeir } from '../support/weir.ts';

const MAIN = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url));
const REQUESTS = 40;
const AT_ONCE = 20;
const ADMIN = { email: 'admin@example.com', password: 'of the administrator' };

/**
 * Starts Weir in a process of its own. One that refuses ends with exit code 1 and a sentence, which
 * is returned. One that starts answers the first requests of an account, many at once, and a
 * log-in, and its books are right.
 */
export async function tryProcess(
  stores: Readonly<Record<string, string>>,
): Promise<{ readonly refused: string } | { readonly served: undefined }> {
  const env = {
    ...stores,
    SECRET_KEY: TEST_SECRET_KEY,
    GATEWAY_THREADS: '1',
    LEDGER_TIMEOUT_MS: '50000',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  };
  const refused = await refusal(env);
  if (refused !== undefined) return { refused };
  const weir = await startWeir(env);
  const pool = openPool(stores['DATABASE_URL'] ?? '', {
    connectionsMax: 2,
    applicationName: 'test',
  });
  const upstream = await startFakeUpstream();
  try {
    const { key } = await seed(pool, { upstreams: [upstream.url] });
    await untilListed(weir.url, key);
    await burst(weir.url, key);
    const session = await fetch(`${weir.adminUrl}/api/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: weir.adminUrl },
      body: JSON.stringify(ADMIN),
    });
    expect(session.status, await session.text()).toBe(201);
    expect(await weir.end('SIGTERM')).toBe(0);
    const { rowCount } = await pool.query('select from usage_records');
    expect(rowCount).toBe(REQUESTS);
    if (stores['REDIS_URL'] === undefined) await expectReconciled(pool);
    return { served: undefined };
  } finally {
    await weir.end('SIGKILL').catch(() => undefined);
    await pool.end();
    await upstream.close();
  }
}

/** The sentences of a start that ends by itself; undefined when the process is ready. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { ...runMark(), PATH: process.env['PATH'] ?? '', PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  const isReady = (): boolean => output.includes('Weir is ready');
  const read = (bytes: Buffer): void => {
    const wasReady = isReady();
    output += String(bytes);
    if (!wasReady && isReady()) child.kill('SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (isReady()) return undefined;
  expect(output).not.toMatch(/^ +at /m);
  expect(code, output).toBe(1);
  return output.trim();
}

async function untilListed(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  await expect
    .poll(async () => (await fetch(`${url}/v1/models`, { headers })).text(), { timeout: HANG_MS })
    .toContain('test-model');
}

async function burst(url: string, key: string): Promise<void> {
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'test-model',
          messages: [{ role: 'user', content: 'Hello' }],
        }),
      });
      expect(response.status, await response.text()).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}
