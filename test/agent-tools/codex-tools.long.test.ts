import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/hang.ts';
import { CODEX, startCodex } from './support/codex.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_RESPONSES } from './support/models-for-sale.ts';
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

beforeAll(async () => {
  served = await serveTools([OVER_RESPONSES]);
});

afterAll(async () => {
  expect(await served.close()).toBe('Everything adds up.\n');
  await tool?.remove();
});

it.runIf(tool !== undefined)('Codex applies a patch, which is a text and no JSON', async () => {
  if (tool === undefined) return;
  const { publicId: model } = OVER_RESPONSES;
  const upstream = served.upstreamOf(model);
  const { key } = await served.newUser(model);
  upstream.play(({ outputs }) => {
    if (outputs.length > 0) return { text: 'All is done.' };
    return {
      calls: [{ id: 'call_01', name: 'apply_patch', input: { input: PATCH }, freeForm: PATCH }],
    };
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
