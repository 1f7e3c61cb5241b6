/**
 * Runs tools with the settings of docs/connect.md, character by character but for address, key and
 * model. A test of the console proves that it shows the same ones.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeBlocks, sectionOf } from '../documents/support/markdown.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { readSource } from '../support/sources/source-files.ts';
import { CODEX } from './support/codex.ts';
import { fetchTool, type AgentTool, type FetchedTool } from './support/fetch-tool.ts';
import type { ModelRequest, Turn } from './support/model-upstream.ts';
import { OVER_CHAT, OVER_GEMINI, OVER_RESPONSES } from './support/models-for-sale.ts';
import type { ModelForSale } from './support/sell-models.ts';
import { serveTools, type ServedTools } from './support/serve-tools.ts';
import { createWorkplace } from './support/workplace.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS, hookTimeout: 2 * HANG_MS });

interface Documented {
  /** The heading in docs/connect.md. */
  readonly heading: string;
  readonly tool: AgentTool;
  readonly model: ModelForSale;
  /** Makes the tool do one task without asking. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Statuses besides 200, of requests for what the tool can do without. */
  readonly otherStatuses?: readonly string[];
  /** The agent of the tool that works with the tool's small model. */
  readonly agent?: (request: ModelRequest) => Turn | undefined;
}

const DONE = 'All is done.';

/** Asks for an agent once, whose requests go to another model than the task's. */
function explore({ toolNames, outputs }: ModelRequest): Turn | undefined {
  const name = ['Agent', 'Task'].find((one) => toolNames.includes(one));
  if (name === undefined || outputs.length > 0) return undefined;
  const input = { description: 'Look', prompt: 'Look.', subagent_type: 'Explore' };
  return { text: 'I look.', calls: [{ id: 'toolu_01', name, input }] };
}

const CLAUDE_CODE: AgentTool = {
  packageName: '@anthropic-ai/claude-code',
  version: '2.1.332',
  program: 'claude',
  setupScript: 'install.cjs',
};

const DOCUMENTED: readonly Documented[] = [
  {
    heading: 'Claude Code',
    tool: CLAUDE_CODE,
    // No Claude: the tool's own names of models would get 404.
    model: OVER_CHAT,
    args: ['-p', 'Do it.'],
    env: { DISABLE_AUTOUPDATER: '1' },
    agent: explore,
  },
  {
    heading: 'Claude Code for Amazon Bedrock',
    tool: CLAUDE_CODE,
    model: OVER_CHAT,
    args: ['-p', 'Do it.'],
    env: { DISABLE_AUTOUPDATER: '1' },
    // It asks for AWS's list of inference profiles first, and goes on without one.
    otherStatuses: ['404'],
  },
  {
    heading: 'Claude Code for Google Vertex AI',
    tool: CLAUDE_CODE,
    model: OVER_CHAT,
    args: ['-p', 'Do it.'],
    env: { DISABLE_AUTOUPDATER: '1' },
  },
  {
    heading: 'Codex',
    tool: CODEX,
    model: OVER_RESPONSES,
    args: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', 'Do it.'],
  },
  {
    heading: 'Gemini CLI',
    tool: { packageName: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
    model: OVER_GEMINI,
    args: ['--prompt', 'Do it.'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    heading: 'Qwen Code',
    tool: { packageName: '@qwen-code/qwen-code', version: '0.24.4', program: 'qwen' },
    model: OVER_CHAT,
    args: ['-p', 'Do it.'],
  },
  {
    heading: 'opencode',
    tool: {
      packageName: 'opencode-ai',
      version: '1.18.33',
      program: 'opencode',
      setupScript: 'postinstall.mjs',
    },
    model: OVER_CHAT,
    args: ['run', 'Do it.'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
  },
];

/** A block of code of the section, and the file that it is for, if it is for one. */
interface Block {
  readonly file: string | undefined;
  readonly text: string;
}

function blocksOf(heading: string): Block[] {
  const [section = ''] = sectionOf(readSource('docs/connect.md'), heading).split('\n#### ');
  const files = [...section.matchAll(/^(?:In|For every start, in) (?:`([^`]+)`|a terminal)/gm)];
  const blocks = codeBlocks(section);
  expect(files).toHaveLength(blocks.length);
  return blocks.map(({ text }, index) => ({ file: files[index]?.[1], text }));
}

/** `export NAME='value'` lines, and what follows the program's name in the last line. */
function readTerminal(text: string): { env: Record<string, string>; args: string[] } {
  const variables = [...text.matchAll(/^export (\w+)='([^']*)'$/gm)];
  const env = Object.fromEntries(variables.map(([, name = '', value = '']) => [name, value]));
  const [, ...args] = (text.split('\n').at(-1) ?? '').split(' ');
  return { env, args: args.map((word) => word.replaceAll("'", '')) };
}

function filesIn(blocks: readonly Block[], prefix: string): Record<string, string> {
  return Object.fromEntries(
    blocks
      .filter(({ file }) => file?.startsWith('~/') === (prefix === '~/'))
      .map(({ file = '', text }) => [file.slice(prefix.length), text]),
  );
}

describe.each(DOCUMENTED)('$heading as docs/connect.md sets it', (documented) => {
  const { heading, model, args, env = {}, otherStatuses = [], agent } = documented;
  let tool: FetchedTool | undefined;
  let served: ServedTools;

  beforeAll(async () => {
    tool = await fetchTool(documented.tool);
    served = await serveTools([model]);
  });

  afterAll(async () => {
    expect(await served.close()).toBe('Everything adds up.\n');
    await tool?.remove();
  });

  async function run(blocks: readonly Block[]): Promise<void> {
    if (tool === undefined) throw new Error(`${documented.tool.packageName} could not be fetched`);
    const { key } = await served.newUser(model.publicId);
    const filled = blocks.map(({ file, text }) => ({
      file,
      text: text
        .replaceAll('http://127.0.0.1:8080', served.url)
        .replaceAll('sk-…', key)
        .replaceAll('gpt-6-luna', model.publicId),
    }));
    const shell = readTerminal(filled.find(({ file }) => file === undefined)?.text ?? '');
    const workplace = await createWorkplace({
      home: filesIn(filled, '~/'),
      project: filesIn(filled, ''),
    });
    const upstream = served.upstreamOf(model.publicId);
    upstream.play((request) => agent?.(request) ?? { text: DONE });
    await served.newAnswers();
    try {
      const started = { ...env, ...shell.env };
      const end = await workplace.run(tool, [...args, ...shell.args], started);
      expect(end.stdout, end.stderr).toContain(DONE);
      const answers = await served.newAnswers();
      expect(Object.keys(answers), JSON.stringify(answers)).toEqual(['200', ...otherStatuses]);
      if (agent !== undefined) expect(upstream.requests.length).toBeGreaterThan(2);
    } finally {
      await workplace.remove();
    }
  }

  it('in a terminal reaches its model, and asks for no other', async () => {
    const blocks = blocksOf(heading);
    const terminal = blocks.findIndex(({ file }) => file === undefined);
    await run(blocks.slice(0, terminal + 1));
  });

  it('in files that it reads at every start reaches its model, and asks for no other', async () => {
    const blocks = blocksOf(heading).filter(({ file }) => file?.startsWith('~/'));
    await run(blocks);
  });
});
