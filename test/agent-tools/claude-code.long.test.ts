import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import {
  describeFailures,
  GETS_OVER_IT,
  OVERLOADED_MESSAGES,
  type Reactions,
} from './support/describe-failures.ts';
import { fetchTool } from './support/fetch-tool.ts';
import type { ModelRequest, ModelUpstream, ToolCall, Turn } from './support/model-upstream.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';
import type { ProgramEnd } from './support/run-program.ts';
import { costOf } from './support/sell-models.ts';
import { serveTools, type ServedTools } from './support/serve-tools.ts';
import { createWorkplace, type Workplace } from './support/workplace.ts';

const tool = await fetchTool({
  packageName: '@anthropic-ai/claude-code',
  version: '2.1.332',
  program: 'claude',
  setupScript: 'install.cjs',
});

vi.setConfig({ testTimeout: 2 * HANG_MS });

const MODELS = [OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES, OVER_GEMINI];

/** A red square of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** The output of `--output-format json`. */
interface Result {
  readonly result: string;
  readonly is_error: boolean;
  readonly api_error_status: number | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

let served: ServedTools;
let workplace: Workplace;

beforeAll(async () => {
  served = await serveTools(MODELS);
});

beforeEach(async () => {
  workplace = await createWorkplace({ project: { 'red.png': PNG } });
});

afterEach(() => workplace.remove());

afterAll(async () => {
  expect(await served.close()).toBe('Everything adds up.\n');
  await tool?.remove();
});

/** Base64, as vendors send it. */
const THOUGHT = { text: 'A command tells it.', proof: 'cHJvb2Ygb2YgdGhlIHRob3VnaHQ+Lw==' };

/** The model calls these tools at first, and says so when every output is there. */
function callThenReport(calls: readonly ToolCall[]): (request: ModelRequest) => Turn {
  return ({ outputs }) =>
    outputs.length < calls.length
      ? { thought: THOUGHT, text: 'I look.', calls }
      : { text: 'All is done.' };
}

interface Asked {
  readonly prompt?: string;
  readonly allowed?: string;
  readonly more?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function ask(model: string, key: string, asked: Asked = {}): Promise<Result> {
  const { stdout, stderr } = await run(model, key, asked);
  try {
    return JSON.parse(stdout) as Result;
  } catch (error) {
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

async function run(model: string, key: string, asked: Asked = {}): Promise<ProgramEnd> {
  if (tool === undefined) throw new Error('the tool is not there');
  const { prompt = 'Do it.', allowed = 'Bash(echo:*)', more = [], env = {} } = asked;
  const form = ['--output-format', 'json', '--model', model, '--allowedTools', allowed];
  return workplace.run(tool, ['-p', prompt, ...form, ...more], {
    ANTHROPIC_BASE_URL: served.url,
    ANTHROPIC_AUTH_TOKEN: key,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...env,
  });
}

function bills({ usage }: ModelUpstream, count: number): object[] {
  const bill = { status: 'completed', costNanoUsd: costOf(usage) };
  return Array.from({ length: count }, () => bill);
}

const REACTIONS: Reactions = {
  noMoney: [{ 402: 1 }, /balance .* does not cover this request/],
  unknownModel: [{ 404: 2 }, /issue with the selected model \(no-such-model\)/],
  unknownKey: [{ 401: 1 }, /key is too short/],
  overflow: [{ 400: 1 }, /Prompt is too long|prompt is too long|context/],
  rateLimited: [{ 200: 1, 429: 1 }, GETS_OVER_IT],
  overloaded: [{ 200: 1, 502: 1 }, GETS_OVER_IT],
  cutAtOnce: [{ 200: 1, 502: 1 }, GETS_OVER_IT],
  cutMidway: [{ 200: 2 }, GETS_OVER_IT],
};

const DONE = { is_error: false, result: 'All is done.' };

function echo(id: string, words: string): ToolCall {
  return { id, name: 'Bash', input: { command: `echo ${words}`, description: 'Say it' } };
}

describe.runIf(tool !== undefined).each(MODELS)(
  'Claude Code over $upstreamName',
  ({ publicId: model }) => {
    it('runs a command and reports, and pays for two turns', async () => {
      const upstream = served.upstreamOf(model);
      const user = await served.newUser(model);
      upstream.play(callThenReport([echo('toolu_01', 'from-the-shell')]));
      const usage = {
        input_tokens: 2 * upstream.usage.plain,
        cache_read_input_tokens: 2 * upstream.usage.cached,
        cache_creation_input_tokens: 2 * upstream.usage.written,
        output_tokens: 2 * upstream.usage.output,
      };
      expect(await ask(model, user.key)).toMatchObject({ ...DONE, usage });
      expect(upstream.requests.map(({ outputs }) => outputs)).toEqual([
        [],
        [{ callId: 'toolu_01', text: 'from-the-shell', pictures: 0 }],
      ]);
      const { proofs } = upstream.requests.at(-1) ?? {};
      expect(proofs).toEqual(upstream.keepsProofs ? [THOUGHT.proof] : []);
      expect(await user.bills()).toEqual(bills(upstream, 2));
    });

    it('runs several commands of one turn', async () => {
      const upstream = served.upstreamOf(model);
      const user = await served.newUser(model);
      const names = ['toolu_01', 'toolu_02', 'toolu_03'];
      upstream.play(callThenReport(names.map((id) => echo(id, `from-${id}`))));
      expect(await ask(model, user.key)).toMatchObject(DONE);
      const { outputs = [] } = upstream.requests.at(-1) ?? {};
      // They come in the order in which the commands have ended.
      expect(outputs.toSorted((a, b) => a.callId.localeCompare(b.callId))).toEqual(
        names.map((callId) => ({ callId, text: `from-${callId}`, pictures: 0 })),
      );
      expect(await user.bills()).toEqual(bills(upstream, 2));
    });

    it('shows the model a picture that a tool has read', async () => {
      const upstream = served.upstreamOf(model);
      const user = await served.newUser(model);
      const input = { file_path: join(workplace.projectFolder, 'red.png') };
      upstream.play(callThenReport([{ id: 'toolu_01', name: 'Read', input }]));
      expect(await ask(model, user.key, { allowed: 'Read' })).toMatchObject(DONE);
      expect(upstream.requests.at(-1)?.outputs).toMatchObject([
        { callId: 'toolu_01', pictures: 1 },
      ]);
      expect(await user.bills()).toEqual(bills(upstream, 2));
    });

    it('goes on when its web search is refused', async () => {
      const upstream = served.upstreamOf(model);
      const user = await served.newUser(model);
      const input = { query: 'weirs' };
      upstream.play(callThenReport([{ id: 'toolu_01', name: 'WebSearch', input }]));
      const env = { CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1' };
      const result = await ask(model, user.key, { allowed: 'WebSearch', env });
      expect(result).toMatchObject(DONE);
      expect(upstream.requests.at(-1)?.outputs).toMatchObject([
        { callId: 'toolu_01', text: expect.stringContaining('no price') as string },
      ]);
      expect(await user.bills()).toEqual(bills(upstream, 2));
    });

    it('compacts a conversation and goes on with it', async () => {
      const upstream = served.upstreamOf(model);
      const user = await served.newUser(model);
      upstream.play(callThenReport([echo('toolu_01', 'from-the-shell')]));
      expect(await ask(model, user.key)).toMatchObject(DONE);
      upstream.play(() => ({ text: '<summary>The shell has spoken.</summary>' }));
      const more = ['--continue'];
      const compacted = await ask(model, user.key, { prompt: '/compact', more });
      expect(compacted).toMatchObject({ is_error: false });
      expect(upstream.requests).toMatchObject([{ outputs: [{ callId: 'toolu_01' }] }]);
      upstream.play(() => ({ text: 'It was short.' }));
      const result = await ask(model, user.key, { prompt: 'What was it?', more });
      expect(result).toMatchObject({ is_error: false, result: 'It was short.' });
      expect(upstream.requests).toMatchObject([{ outputs: [] }]);
      expect(JSON.stringify(upstream.requests)).toContain('The shell has spoken.');
      expect(await user.bills()).toEqual(bills(upstream, 4));
    });

    describeFailures({
      served: () => served,
      publicId: model,
      reactions:
        model === OVER_ANTHROPIC.publicId
          ? { ...REACTIONS, overloaded: OVERLOADED_MESSAGES }
          : REACTIONS,
      isForTask: ({ toolNames }) => toolNames.includes('Bash'),
      run: (asked, key) => run(asked, key),
    });
  },
);
