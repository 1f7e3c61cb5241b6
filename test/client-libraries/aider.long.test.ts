import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OVER_ANTHROPIC, OVER_CHAT } from '../agent-tools/support/models-for-sale.ts';
import { costOf } from '../agent-tools/support/sell-models.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { fetchPython } from './support/fetch-python.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

vi.setConfig({ testTimeout: 3 * HANG_MS });

const QUIET = ['--no-git', '--yes-always', '--no-show-model-warnings', '--no-check-update'];
const REPLY = `Here it is.

weir.txt
\`\`\`
<<<<<<< SEARCH
=======
It has "quotes" and é.
>>>>>>> REPLACE
\`\`\`
`;

const python = await fetchPython(['aider-chat==0.86.2']);
let served: ServedLibraries;

beforeAll(async () => {
  served = await serveLibraries([OVER_CHAT, OVER_ANTHROPIC]);
});

afterAll(async () => {
  await served.close();
  await python?.remove();
});

describe.runIf(python !== undefined).each([OVER_CHAT, OVER_ANTHROPIC])(
  'aider over $upstreamName',
  ({ publicId: model }) => {
    it('writes the file that it is told, and pays for its turn', async () => {
      const upstream = served.upstreamOf(model);
      upstream.play(() => ({ text: REPLY }));
      const { key, bills } = await served.newUser(model);
      const folder = await mkdtemp(join(tmpdir(), 'weir-aider-'));
      try {
        const access = ['--openai-api-base', `${served.url}/v1`, '--openai-api-key', key];
        const asked = ['--model', `openai/${model}`, '--edit-format', 'diff'];
        const args = [...QUIET, ...access, ...asked, '--message', 'Write weir.txt.'];
        const printed = await python?.run('aider', args, folder);
        const written = await readFile(join(folder, 'weir.txt'), 'utf8').catch(() => printed);
        expect(written).toBe('It has "quotes" and é.\n');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill]);
    });
  },
);
