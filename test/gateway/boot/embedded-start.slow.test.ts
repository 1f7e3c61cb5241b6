import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { expectSentence, refused } from './support/refused.ts';

const PROMPT = [{ role: 'user', content: 'Hello' }];
/** gpt-6-luna: 0.1 USD in and 0.5 USD out per million tokens. */
const INPUT_NANO_USD = 100;
const OUTPUT_NANO_USD = 500;
/** The first balance of the first key's account: 10 USD. */
const CREDIT_NANO_USD = 10_000_000_000;

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

let folder: string;
let dataDir: string;
const started: Weir[] = [];
/** The output of each process, including those that have ended. */
const outputs: Weir['output'][] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-start-'));
  dataDir = join(folder, 'data');
  // The remains of a first start that was interrupted.
  mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Starts Weir as `npm start` does on a bare machine: only paths and ports are configured. */
async function start(): Promise<Weir> {
  const weir = await startWeir({ SECRET_KEY: '', DATA_DIR: dataDir, GATEWAY_THREADS: '1' });
  started.push(weir);
  outputs.push(weir.output);
  return weir;
}

/** A test that fails leaves its process running, and the next one could not have the folder. */
afterEach(async () => {
  await Promise.all(started.splice(0).map((weir) => weir.end('SIGKILL')));
});

function shown(weir: Weir, label: string): string {
  return new RegExp(`^  ${label} +(\\S+)`, 'm').exec(weir.output())?.[1] ?? '';
}

/** The line to try, as it was printed; run by a shell. */
function printedCurl(weir: Weir, stream: boolean): string {
  const lines = weir.output().split('\n');
  return lines.find((line) => line.startsWith(stream ? '  curl -N ' : '  curl http')) ?? '';
}

async function run(command: string): Promise<string> {
  const { promisify } = await import('node:util');
  const { exec } = await import('node:child_process');
  return (await promisify(exec)(`${command} --silent --show-error`)).stdout;
}

/** The database of the running process: its socket is open to the same user. */
function connect(): pg.Pool {
  const host = encodeURIComponent(join(dataDir, 'socket'));
  return openPool(`postgres://postgres@/postgres?host=${host}`, {
    connectionsMax: 1,
    applicationName: 'test',
  });
}

async function available(): Promise<number> {
  const pool = connect();
  try {
    const { rows } = await pool.query<{ nanoUsd: number }>(
      'select available_nano_usd as "nanoUsd" from ledger_accounts',
    );
    return rows[0]?.nanoUsd ?? -1;
  } finally {
    await pool.end();
  }
}

describe('Weir on a bare machine', () => {
  let apiKey = '';

  it('starts with nothing configured, after an interrupted start, prints lines that work, bills to the nanodollar, and is killed in the middle of requests', async () => {
    const weir = await start();
    expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false);
    apiKey = shown(weir, 'API key');
    expect(apiKey).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    expect(weir.output()).toMatch(/^ {2}Administrator +admin@localhost +password: [\w-]{24}$/m);
    expect(weir.output()).toContain(`  Gateway         ${weir.url} `);
    expect(weir.output()).toContain(`  Console         ${weir.adminUrl}`);

    const reply = JSON.parse(await run(printedCurl(weir, false))) as {
      choices: { message: { content: string } }[];
      usage: Usage;
    };
    expect(reply.choices[0]?.message.content).not.toBe('');
    const { usage } = reply;
    const cost = usage.prompt_tokens * INPUT_NANO_USD + usage.completion_tokens * OUTPUT_NANO_USD;
    expect(cost).toBeGreaterThan(0);
    expect(await available()).toBe(CREDIT_NANO_USD - cost);
    const stream = await run(printedCurl(weir, true));
    expect(stream).toContain('data: {');
    expect(stream.trimEnd().endsWith('data: [DONE]')).toBe(true);

    const ask = (): Promise<unknown> =>
      fetch(`${weir.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-6-luna', messages: PROMPT, stream: true }),
      }).then((response) => response.text());
    const asked = Array.from({ length: 20 }, () => ask().catch(() => undefined));
    await Promise.race(asked);
    expect(await weir.end('SIGKILL')).toBeNull();
    await Promise.all(asked);
  });

  it('keeps its secrets from other users', () => {
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    for (const file of ['secret.key', 'demo.key']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(dataDir, 'demo.key'), 'utf8').trim()).toBe(apiKey);
  });

  it('starts again with the same key, shows no password, and shares its folder with no other', async () => {
    const weir = await start();
    expect(shown(weir, 'API key')).toBe(apiKey);
    expect(weir.output()).not.toContain('password');
    expect(await run(printedCurl(weir, false))).toContain('"choices"');
    const env = { SECRET_KEY: '', DATA_DIR: dataDir };
    expectSentence(await refused(env), /^DATA_DIR: .* is in use by another Weir process/m);
    expect((await fetch(`${weir.url}/ready`)).status).toBe(200);
    expect(await weir.end('SIGINT')).toBe(0);
    expect(existsSync(join(dataDir, 'socket'))).toBe(false);
  });

  it('wrote no secret to its log, at any of these starts', () => {
    const logged = outputs
      .flatMap((output) => output().split('\n'))
      .filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(0);
    for (const line of logged) expect(line).not.toContain(apiKey);
  });
});
