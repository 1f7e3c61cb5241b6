import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import {
  describeFailures,
  GETS_OVER_IT,
  OVERLOADED_MESSAGES,
  type Reaction,
  type Reactions,
} from './support/describe-failures.ts';
import { fetchTool } from './support/fetch-tool.ts';
import type { ModelRequest, Turn } from './support/model-upstream.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_CONVERSE,
  OVER_INVOKE_MODEL,
  OVER_VERTEX,
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

/** The tool knows the model by its name: it treats others as simpler ones. */
const CHAT = { ...OVER_CHAT, publicId: 'claude-opus-5-5' };
const MODELS = [OVER_ANTHROPIC, CHAT, OVER_INVOKE_MODEL, OVER_CONVERSE, OVER_VERTEX];

const HALF_A_DOLLAR = 500_000_000;

const BASE = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };

interface Mode {
  readonly env: (url: string, key: string) => Readonly<Record<string, string>>;
  /** Returns the cloud's id of a model. */
  readonly modelId: (publicId: string) => string;
  /** Absent: as those of another mode, with probes of models that are not for sale. */
  readonly reactions?: Reactions;
}

const REACTIONS: Reactions = {
  noMoney: [{ 402: 1 }, /balance .* does not cover this request/],
  unknownModel: [{ 404: 2 }, /no-such-model/],
  unknownKey: [{ 401: 3 }, /key is too short/],
  overflow: [{ 400: 1 }, /Prompt is too long|prompt is too long|context/],
  rateLimited: [{ 200: 1, 429: 1 }, GETS_OVER_IT],
  overloaded: OVERLOADED_MESSAGES,
  cutAtOnce: [{ 200: 1, 502: 1 }, GETS_OVER_IT],
  cutMidway: [{ 200: 2 }, GETS_OVER_IT],
};

/** At its start the tool asks once which models there are. */
function withListing(reactions: Reactions): Reactions {
  const listed = Object.entries(reactions).map(([failure, reaction]) => {
    const [answers, prints] = reaction as Reaction;
    return [failure, [{ ...answers, 404: (answers[404] ?? 0) + 1 }, prints]];
  });
  return Object.fromEntries(listed) as Reactions;
}

/** The settings of each cloud behind a gateway, as in the tool's documents. */
const MODES: Readonly<Record<string, Mode>> = {
  Bedrock: {
    env: (url, key) => ({
      CLAUDE_CODE_USE_BEDROCK: '1',
      ANTHROPIC_BEDROCK_BASE_URL: url,
      CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
      ANTHROPIC_AUTH_TOKEN: key,
      AWS_REGION: 'us-east-1',
    }),
    modelId: (publicId) => `us.anthropic.${publicId}`,
    reactions: withListing({
      ...REACTIONS,
      unknownKey: [{ 401: 1 }, /key is too short/],
      overloaded: [{ 200: 1, 503: 1 }, GETS_OVER_IT],
    }),
  },
  'Bedrock with a bearer token': {
    env: (url, key) => ({
      CLAUDE_CODE_USE_BEDROCK: '1',
      ANTHROPIC_BEDROCK_BASE_URL: url,
      AWS_BEARER_TOKEN_BEDROCK: key,
      AWS_REGION: 'us-east-1',
    }),
    modelId: (publicId) => `global.anthropic.${publicId}-20260101-v1:0`,
  },
  Vertex: {
    env: (url, key) => ({
      CLAUDE_CODE_USE_VERTEX: '1',
      ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
      ANTHROPIC_AUTH_TOKEN: key,
      CLOUD_ML_REGION: 'us-east5',
      ANTHROPIC_VERTEX_PROJECT_ID: 'a-project',
    }),
    modelId: (publicId) => `${publicId}@20260101`,
    reactions: REACTIONS,
  },
  Mantle: {
    env: (url, key) => ({
      CLAUDE_CODE_USE_MANTLE: '1',
      ANTHROPIC_BEDROCK_MANTLE_BASE_URL: `${url}/anthropic`,
      CLAUDE_CODE_SKIP_MANTLE_AUTH: '1',
      ANTHROPIC_AUTH_TOKEN: key,
      AWS_REGION: 'us-east-1',
    }),
    modelId: (publicId) => `anthropic.${publicId}`,
    reactions: REACTIONS,
  },
  Foundry: {
    env: (url, key) => ({
      CLAUDE_CODE_USE_FOUNDRY: '1',
      ANTHROPIC_FOUNDRY_BASE_URL: `${url}/anthropic`,
      ANTHROPIC_FOUNDRY_API_KEY: key,
    }),
    modelId: (publicId) => publicId,
    reactions: { ...REACTIONS, unknownKey: [{ 401: 1 }, /key is too short/] },
  },
  'Claude on AWS': {
    env: (url, key) => ({
      CLAUDE_CODE_USE_ANTHROPIC_AWS: '1',
      ANTHROPIC_AWS_BASE_URL: url,
      ANTHROPIC_AWS_API_KEY: key,
      ANTHROPIC_AWS_WORKSPACE_ID: 'wrkspc_1',
      AWS_REGION: 'us-east-1',
    }),
    modelId: (publicId) => publicId,
    reactions: REACTIONS,
  },
  'Claude on Google Cloud': {
    env: (url, key) => ({
      CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD: '1',
      ANTHROPIC_GOOGLE_CLOUD_BASE_URL: url,
      CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH: '1',
      ANTHROPIC_AUTH_TOKEN: key,
    }),
    modelId: (publicId) => publicId,
    reactions: REACTIONS,
  },
};

let served: ServedTools;
let workplace: Workplace;

beforeAll(async () => {
  served = await serveTools(MODELS);
});

beforeEach(async () => {
  workplace = await createWorkplace();
});

afterEach(() => workplace.remove());

afterAll(async () => {
  expect(await served.close()).toBe('Everything adds up.\n');
  await tool?.remove();
});

async function run(mode: Mode, model: string, key: string): Promise<ProgramEnd> {
  if (tool === undefined) throw new Error('the tool is not there');
  const form = ['--output-format', 'json', '--model', mode.modelId(model)];
  return workplace.run(tool, ['-p', 'Do it.', ...form, '--allowedTools', 'Bash(echo:*)'], {
    ...BASE,
    ...mode.env(served.url, key),
  });
}

const COMMAND = { command: 'echo from-the-shell', description: 'Say it' };

function callThenReport({ outputs }: ModelRequest): Turn {
  return outputs.length === 0
    ? { text: 'I look.', calls: [{ id: 'toolu_01', name: 'Bash', input: COMMAND }] }
    : { text: 'All is done.' };
}

describe.runIf(tool !== undefined).each(Object.entries(MODES))(
  'Claude Code set to %s',
  (_name, mode) => {
    it.each(MODELS)('runs a command, and pays for two turns, over $upstreamName', async (sold) => {
      const { publicId } = sold;
      const upstream = served.upstreamOf(publicId);
      const user = await served.newUser(publicId);
      upstream.play(callThenReport);
      const end = await run(mode, publicId, user.key);
      expect(end.stdout, end.stderr).toContain('All is done.');
      const [first, ...others] = upstream.requests.map(({ outputs }) => outputs);
      expect(first).toEqual([]);
      // For some models the tool adds a reminder of the tokens that are left.
      const text = expect.stringMatching(/^from-the-shell/) as string;
      expect(others).toEqual([[{ callId: 'toolu_01', text, pictures: 0 }]]);
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await user.bills()).toEqual([bill, bill]);
    });

    it.each(MODELS)(
      'shows that the balance has ended in the middle of a reply over $upstreamName',
      async ({ publicId }) => {
        served
          .upstreamOf(publicId)
          .play(() => ({ text: 'words about weirs and rivers '.repeat(4_000) }));
        const user = await served.newUser(publicId, HALF_A_DOLLAR);
        await served.newAnswers();
        const { stdout, stderr } = await run(mode, publicId, user.key);
        expect(stdout + stderr).toMatch(/The balance ran out during this reply/);
        expect(await served.newAnswers()).toMatchObject({ 200: 1 });
      },
    );

    it.each(MODELS)(
      'gets over an error in the middle of the stream of $upstreamName',
      async ({ publicId }) => {
        const upstream = served.upstreamOf(publicId);
        let asked = 0;
        upstream.play(({ toolNames }) => {
          if (!toolNames.includes('Bash')) return { text: 'A title' };
          asked += 1;
          return asked === 1
            ? { failure: 'error midway', text: 'I look.' }
            : { text: 'All is done.' };
        });
        const user = await served.newUser(publicId);
        const { stdout, stderr } = await run(mode, publicId, user.key);
        expect(stdout, stderr).toContain('All is done.');
        const [broken, ...whole] = await user.bills();
        expect(broken).toMatchObject({ status: 'upstream_disconnected' });
        expect(broken?.costNanoUsd).toBeGreaterThan(0);
        expect(whole).toEqual([{ status: 'completed', costNanoUsd: costOf(upstream.usage) }]);
      },
    );

    const { reactions } = mode;
    if (reactions === undefined) return;
    describeFailures({
      served: () => served,
      publicId: OVER_ANTHROPIC.publicId,
      reactions,
      isForTask: ({ toolNames }) => toolNames.includes('Bash'),
      run: (model, key) => run(mode, model, key),
    });
  },
);
