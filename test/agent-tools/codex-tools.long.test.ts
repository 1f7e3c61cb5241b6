import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/hang.ts';
import { CODEX, startCodex } from './support/codex.ts';
import { fetchTool } from './support/fetch-tool.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';
import { serveTools, type ServedTools } from './support/serve-tools.ts';
import { createWorkplace } from './support/workplace.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const tool = await fetchTool(CODEX);

const PATCH = `*** Begin Patch
*** Add File: weir.txt
+The patch has "quotes" and \\ in it.
*** End Patch
`;

let served: ServedTools;

/** Codex offers its free-form tool with models that it knows. */
const KNOWN = { ...OVER_CHAT, publicId: 'gpt-5.6-sol' };
const MODELS = [
  OVER_RESPONSES,
  KNOWN,
  { ...OVER_ANTHROPIC, publicId: 'gpt-5.6-luna' },
  { ...OVER_GEMINI, publicId: 'gpt-6-sol' },
];

beforeAll(async () => {
  served = await serveTools(MODELS);
});

afterAll(async () => {
  expect(await served.close()).toBe('Everything adds up.\n');
  await tool?.remove();
});

describe.runIf(tool !== undefined).each(MODELS)(
  'Codex over $upstreamName',
  ({ publicId: model }) => {
    it('applies a patch, which is a text and no JSON', async () => {
      if (tool === undefined) return;
      const upstream = served.upstreamOf(model);
      const { key } = await served.newUser(model);
      upstream.play(({ outputs }) => {
        if (outputs.length > 0) return { text: 'All is done.' };
        const call = { id: 'call_01', name: 'apply_patch', input: { input: PATCH } };
        const isNative = model === OVER_RESPONSES.publicId;
        return { calls: [isNative ? { ...call, freeForm: PATCH } : call] };
      });
      const { args, env, files = {} } = startCodex({ url: served.url, key, model });
      const workplace = await createWorkplace(files);
      try {
        const { stdout, stderr } = await workplace.run(tool, args, env);
        expect(stdout, stderr).toContain('All is done.');
        const written = await readFile(join(workplace.projectFolder, 'weir.txt'), 'utf8');
        expect(written).toBe('The patch has "quotes" and \\ in it.\n');
        expect(upstream.requests.at(-1)?.outputs).toMatchObject([{ callId: 'call_01' }]);
      } finally {
        await workplace.remove();
      }
    });
  },
);
