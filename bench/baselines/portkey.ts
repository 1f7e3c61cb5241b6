import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/machine/free-port.ts';
import { makeTemporaryFolder, serverProcess } from '../../test/support/machine/server-process.ts';
import { LOCAL, type Target } from '../targets/target.ts';

const PACKAGE = '@portkey-ai/gateway';
/** Pinned, so that two runs compare with the same program. */
const VERSION = '1.15.2';
const READY_TIMEOUT_MS = 1_000;

/** Installs it into the system's temporary folder, where the next run finds it again. */
function install(): string {
  const folder = join(tmpdir(), `weir-bench-portkey-${VERSION}`);
  const program = join(folder, 'node_modules', PACKAGE, 'build', 'start-server.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${PACKAGE}@${VERSION}`],
    { cwd: folder, stdio: 'ignore' },
  );
  return program;
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${LOCAL}:${port}/`, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts Portkey's gateway in front of the upstream. It checks no keys, counts nothing and bills
 * nothing: it is here as the least that a gateway written for the same job costs.
 */
export async function startPortkey(upstreamPort: number): Promise<Target> {
  const program = install();
  const port = await freePort();
  const server = serverProcess({
    command: process.execPath,
    args: [program, `--port=${port}`, '--headless'],
    folder: makeTemporaryFolder('bench-portkey'),
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: LOCAL },
    isReady: () => answers(port),
    signals: { stop: 'SIGTERM', abandon: 'KILL' },
  });
  await server.start();
  return {
    name: 'portkey',
    destination: { host: LOCAL, port },
    pid: server.pid() ?? 0,
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://${LOCAL}:${upstreamPort}/v1`,
    },
    tidy: () => undefined,
    stop: server.stop,
    kill: server.kill,
  };
}
