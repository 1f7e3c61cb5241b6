/** Claude Code logs in to Weir as its users do, and works without a key in any file. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  startLoginFixture,
  type Codes,
  type LoginFixture,
} from '../gateway/data-plane/device-login/support/login-fixture.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { startAnthropicModel } from './support/anthropic-model.ts';
import { fetchTool } from './support/fetch-tool.ts';
import type { ModelUpstream } from './support/model-upstream.ts';
import { KEYS, openTerminal, type Terminal } from './support/terminal.ts';
import { createWorkplace, type Workplace } from './support/workplace.ts';

const tool = await fetchTool({
  packageName: '@anthropic-ai/claude-code',
  version: '2.1.332',
  program: 'claude',
  setupScript: 'install.cjs',
});

vi.setConfig({ testTimeout: 3 * HANG_MS });

const MODEL = 'claude-sonnet-5';
const BASE = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };

let fixture: LoginFixture;
let upstream: ModelUpstream;
let workplace: Workplace;
let keyId: string;

/** The part of `--output-format json` that is read. */
interface Result {
  readonly result: string;
  readonly is_error: boolean;
}

beforeAll(async () => {
  fixture = await startLoginFixture();
  upstream = await startAnthropicModel();
  await fixture.sell({ publicId: MODEL, url: upstream.url, credential: upstream.credential });
  const credit = { amountUsd: '5', reason: 'for tests' };
  await fixture.api('POST', `/accounts/${fixture.accountId}/credits`, credit);
  const { url } = fixture.weir;
  const settings = { forceLoginMethod: 'gateway', forceLoginGatewayUrl: url };
  workplace = await createWorkplace({
    home: { '.claude/settings.json': JSON.stringify(settings) },
  });
  const { projectFolder, environment } = workplace;
  const projects = { [projectFolder]: { hasTrustDialogAccepted: true } };
  const known = { hasCompletedOnboarding: true, theme: 'dark', projects };
  await writeFile(join(environment['HOME'] ?? '', '.claude.json'), JSON.stringify(known));
});

afterAll(async () => {
  await fixture.close();
  await upstream.close();
  await workplace.remove();
  await tool?.remove();
});

function open(): Terminal {
  const env = { ...workplace.environment, ...BASE, BROWSER: '/bin/true' };
  return openTerminal(tool?.path ?? '', { cwd: workplace.projectFolder, env });
}

async function typeCommand(terminal: Terminal, command: string): Promise<void> {
  terminal.press(command);
  await terminal.waitFor(new RegExp(`❯${command}`));
  terminal.press(KEYS.enter);
}

async function ask(...more: readonly string[]): Promise<Result> {
  if (tool === undefined) throw new Error('the tool is not there');
  const form = ['--output-format', 'json', '--allowedTools', 'Bash(echo:*)'];
  const { stdout, stderr } = await workplace.run(tool, ['-p', 'Do it.', ...form, ...more], BASE);
  try {
    return JSON.parse(stdout) as Result;
  } catch (error) {
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

/** The model runs a command first, and says so when its output is there. */
function playSession(): void {
  const input = { command: 'echo from-the-shell', description: 'Say it' };
  upstream.play(({ outputs }) =>
    outputs.length === 0
      ? { text: 'I look.', calls: [{ id: 'toolu_01', name: 'Bash', input }] }
      : { text: 'All is done.' },
  );
}

const DONE = { is_error: false, result: 'All is done.' };

describe.runIf(tool !== undefined)('Claude Code', () => {
  it('logs in by /login, once a person has allowed its code and confirmed who it is', async () => {
    const terminal = open();
    try {
      await terminal.waitFor(/shift\+tabtocycle/);
      await typeCommand(terminal, '/login');
      await terminal.waitFor(/Entertoconnect/);
      terminal.press(KEYS.enter);
      await terminal.waitFor(/No,cancellogin/);
      terminal.press(KEYS.up);
      await terminal.waitFor(/❯Yes,trustthisgateway/);
      terminal.press(KEYS.enter);
      const [, user_code = ''] = await terminal.waitFor(/Code:(\S{4}-\S{4})/);
      const allowed = await fixture.allow({ user_code } as Codes);
      expect(allowed.status).toBe(201);
      keyId = ((await allowed.json()) as { id: string }).id;
      await terminal.waitFor(/SignedintoCloudgatewayasadmin@example\.org/);
      terminal.press(KEYS.up);
      await terminal.waitFor(/❯Yes,continue/);
      terminal.press(KEYS.enter);
      await terminal.waitFor(/ConnectedtoCloudgateway/);
    } finally {
      await terminal.close();
    }
  });

  it('runs a session with tools, which is billed to the login’s key', async () => {
    playSession();
    expect(await ask('--model', MODEL)).toMatchObject(DONE);
    const keysOfRequests = async () => {
      const query = 'select distinct key_id::text as key from requests where model = $1';
      return (await fixture.pool.query<{ key: string }>(query, [MODEL])).rows;
    };
    // Requests are entered in batches.
    await expect.poll(keysOfRequests).toEqual([{ key: keyId }]);
  });

  it('takes the model from the managed settings, and shows the budget under /usage', async () => {
    await fixture.api('PUT', '/accounts/me/managed-settings', {
      settings: { model: MODEL },
      checksum: null,
    });
    await fixture.api('PATCH', `/keys/${keyId}`, { budgetMonthUsd: '2' });
    const terminal = open();
    try {
      await terminal.waitFor(/frommanagedsettings/);
      await typeCommand(terminal, '/usage');
      await terminal.waitFor(/\$0\.\d\d\/\$2\.00spentthismonth/);
    } finally {
      await terminal.close();
    }
  });

  it('renews its token when that has ended', async () => {
    const path = join(workplace.environment['HOME'] ?? '', '.claude', '.credentials.json');
    const kept = JSON.parse(await readFile(path, 'utf8')) as { enterpriseGateway: object };
    const expired = { ...kept.enterpriseGateway, expiresAt: Date.now() - 1 };
    await writeFile(path, JSON.stringify({ ...kept, enterpriseGateway: expired }));
    await fixture.pool.query(`delete from key_aliases where key_id = $1`, [keyId]);
    playSession();
    expect(await ask()).toMatchObject(DONE);
  });

  it('is logged out in the console, and says what to do', async () => {
    await fixture.api('DELETE', `/keys/${keyId}`);
    if (tool === undefined) throw new Error('the tool is not there');
    const { stdout, stderr } = await workplace.run(tool, ['-p', 'Do it.'], BASE);
    expect(stdout + stderr).toMatch(/no longer accepts this session.* sign in again with \/login/);
  });
});
