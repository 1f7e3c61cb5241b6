import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { CODEX, startCodex } from './support/codex.ts';
import { fetchTool } from './support/fetch-tool.ts';
import type { ToolCall } from './support/model-upstream.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';
import { costOf } from './support/sell-models.ts';
import { serveTools, type ServedTools } from './support/serve-tools.ts';
import { createWorkplace } from './support/workplace.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const tool = await fetchTool(CODEX);

const PATCH = `*** Begin Patch
*** Update File: weir.txt
@@
-It was "so".
+The patch has "quotes" and \\ in it.
*** End Patch
`;
const BEFORE = 'The first line.\nIt was "so".\n';
const AFTER = 'The first line.\nThe patch has "quotes" and \\ in it.\n';

/** Codex knows models by how their names begin: to the former it offers its tools themselves. */
const WITH_TOOLS = 'gpt-5.5';
/** To the latter it offers one tool, in a namespace, which runs code that calls the others. */
const WITH_CODE = 'gpt-6.1-sol';

const CODE = `text(await tools.apply_patch(${JSON.stringify(PATCH)}));`;
const UPSTREAMS = [OVER_RESPONSES, OVER_CHAT, OVER_ANTHROPIC, OVER_GEMINI];
const MODELS = UPSTREAMS.flatMap((model, at) =>
  [WITH_TOOLS, WITH_CODE].map((known) => ({ ...model, known, publicId: `${known}-${at}` })),
);

function patchCall(known: string, upstreamName: string): ToolCall {
  const id = 'call_01';
  if (known === WITH_TOOLS) {
    return { id, name: 'apply_patch', input: { input: PATCH }, freeForm: PATCH };
  }
  const code = { id, input: { input: CODE }, freeForm: CODE, namespace: 'functions' };
  return {
    ...code,
    name: upstreamName === OVER_RESPONSES.upstreamName ? 'exec' : 'functions__exec',
  };
}

let served: ServedTools;

beforeAll(async () => {
  served = await serveTools(MODELS);
});

afterAll(async () => {
  expect(await served.close()).toBe('Everything adds up.\n');
  await tool?.remove();
});

describe.runIf(tool !== undefined)('Codex applies a patch, which is a text and no JSON', () => {
  it.each(MODELS)('of $known over $upstreamName', async ({ publicId, known, upstreamName }) => {
    if (tool === undefined) return;
    const upstream = served.upstreamOf(publicId);
    const { key, bills } = await served.newUser(publicId);
    upstream.play(({ outputs }) =>
      outputs.length > 0 ? { text: 'All is done.' } : { calls: [patchCall(known, upstreamName)] },
    );
    const { args, env, files = {} } = startCodex({ url: served.url, key, model: publicId });
    const project = { 'weir.txt': BEFORE };
    const workplace = await createWorkplace({ ...files, project });
    try {
      const { stdout, stderr } = await workplace.run(tool, args, env);
      expect(stdout, stderr).toContain('All is done.');
      const written = await readFile(join(workplace.projectFolder, 'weir.txt'), 'utf8');
      expect(written, JSON.stringify(upstream.requests.at(-1)?.outputs)).toBe(AFTER);
      expect(upstream.requests).toHaveLength(2);
      expect(upstream.requests[1]?.outputs).toHaveLength(1);
      const cost = costOf(upstream.usage);
      expect((await bills()).map(({ costNanoUsd }) => costNanoUsd)).toEqual([cost, cost]);
    } finally {
      await workplace.remove();
    }
  });
});
