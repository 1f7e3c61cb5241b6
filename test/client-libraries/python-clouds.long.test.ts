import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI } from '../agent-tools/support/models-for-sale.ts';
import { costOf } from '../agent-tools/support/sell-models.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { fetchPython } from './support/fetch-python.ts';
import { callThenReport } from './support/flow-turns.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const PACKAGES = ['anthropic[bedrock,vertex]==2.14.0', 'boto3==1.44.8', 'google-genai==3.6.1'];
const FLOWS = fileURLToPath(new URL('support/cloud_flows.py', import.meta.url));

/** Flows of SDKs, with the upstreams that each is tried over and what a wrong model throws. */
const OVER = {
  'anthropic bedrock': [[OVER_ANTHROPIC, OVER_CHAT], 'NotFoundError'],
  'anthropic vertex': [[OVER_ANTHROPIC, OVER_CHAT], 'NotFoundError'],
  boto3: [[OVER_ANTHROPIC, OVER_CHAT], 'ResourceNotFoundException'],
  'google-genai': [[OVER_GEMINI, OVER_CHAT], 'ClientError'],
} as const;
const CELLS = Object.entries(OVER).flatMap(([flow, [models, className]]) =>
  models.map(({ publicId, upstreamName }) => ({ flow, className, publicId, upstreamName })),
);

const python = await fetchPython(PACKAGES);
let served: ServedLibraries;

beforeAll(async () => {
  served = await serveLibraries([OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI]);
});

afterAll(async () => {
  await served.close();
  await python?.remove();
});

describe.runIf(python !== undefined).each(CELLS)(
  'Python, set to a cloud: $flow over $upstreamName',
  ({ flow, className, publicId: model }) => {
    it('runs tools, sends their outputs, and pays for each turn', async () => {
      const upstream = served.upstreamOf(model);
      upstream.play(callThenReport);
      const { key, bills } = await served.newUser(model);
      const settings = JSON.stringify({ flow, key, model });
      const came: unknown = JSON.parse(
        (await python?.run('python', [FLOWS, served.url, settings])) ?? '',
      );
      expect(came).toMatchObject({
        outputs: ['of Rome', 'of Paris'],
        reported: 'All is done.',
        thrown: [404, className],
      });
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill, bill]);
    });
  },
);
