/** The script of docs/connect.md for tools that take a token from a command. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMark } from '../../../support/machine/run-remains.ts';
import { startLoginFixture, type Codes, type LoginFixture } from './support/login-fixture.ts';

const SCRIPT = fileURLToPath(new URL('../../../../docs/weir-token.sh', import.meta.url));

let fixture: LoginFixture;
let home: string;

beforeAll(async () => {
  // Shorter than the time before the end at which the script renews a token.
  fixture = await startLoginFixture({ LOGIN_TOKEN_SECONDS: '60' });
  home = await mkdtemp(join(tmpdir(), 'weir-token-'));
});
afterAll(async () => {
  await fixture.close();
  await rm(home, { recursive: true, force: true });
});

interface Run {
  readonly token: string;
  /** The words with which it asked the person. */
  readonly asked: string;
}

/** Runs the script, and answers in the console when it asks for it. */
async function run(answer: 'allow' | 'deny' = 'allow'): Promise<Run & { readonly code: number }> {
  const child = spawn('sh', [SCRIPT, fixture.weir.url], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...runMark() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let asked = '';
  const answers: Promise<unknown>[] = [];
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    asked += words;
    const user_code = /allow the code (\S{9})\./.exec(words)?.[1];
    if (user_code === undefined) return;
    const isAllowed = answer === 'allow';
    answers.push(
      isAllowed
        ? fixture.allow({ user_code } as Codes)
        : fixture.api('POST', '/device-logins/deny', { userCode: user_code }),
    );
  });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  const [token, code] = await Promise.all([text(child.stdout), ended]);
  await Promise.all(answers);
  return { token: token.trim(), asked, code };
}

describe('weir-token.sh', () => {
  it('logs in once and renews its token from then on', async () => {
    const first = await run();
    expect(first.asked).toContain(`Open ${fixture.weir.adminUrl}/device and allow the code`);
    expect(first.token).toMatch(/^sk-/);
    const second = await run();
    expect(second).toMatchObject({ asked: '', code: 0 });
    expect(second.token).not.toBe(first.token);
    const reply = await fetch(`${fixture.weir.url}/v1/models`, {
      headers: { authorization: `Bearer ${second.token}` },
    });
    expect(reply.status).toBe(200);
  });

  it('logs in again after it was logged out, and prints nothing when it is denied', async () => {
    await fixture.pool.query(`update keys set status = 'deleted' where status <> 'deleted'`);
    const denied = await run('deny');
    expect(denied).toMatchObject({ token: '', code: 1 });
    expect(denied.asked).toContain('The login has failed: The login was denied in the console.');
  });
});
