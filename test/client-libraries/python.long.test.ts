import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from '../agent-tools/support/models-for-sale.ts';
import { costOf } from '../agent-tools/support/sell-models.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { fetchPython } from './support/fetch-python.ts';
import { callThenReport } from './support/flow-turns.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const PACKAGES = [
  'anthropic==2.14.0',
  'openai==3.57.0',
  'google-genai==3.6.1',
  'langchain-anthropic==1.7.10',
  'langchain-openai==1.7.4',
  'langchain-google-genai==4.4.3',
];
const FLOWS = fileURLToPath(new URL('support/flows.py', import.meta.url));

/** Flows of SDKs, by what else than tools they have; and the upstreams that each is tried over. */
const OVER = {
  anthropic: [OVER_ANTHROPIC, OVER_CHAT],
  'openai chat': [OVER_CHAT, OVER_ANTHROPIC],
  'openai responses': [OVER_RESPONSES, OVER_CHAT],
  'google-genai': [OVER_GEMINI, OVER_CHAT],
  'langchain-anthropic': [OVER_ANTHROPIC, OVER_CHAT],
  'langchain-openai': [OVER_CHAT, OVER_ANTHROPIC],
  'langchain-google-genai': [OVER_GEMINI, OVER_CHAT],
} as const;
const CELLS = Object.entries(OVER).flatMap(([flow, models]) =>
  models.map(({ publicId, upstreamName }) => ({ flow, publicId, upstreamName })),
);

const python = await fetchPython(PACKAGES);
let served: ServedLibraries;

beforeAll(async () => {
  served = await serveLibraries([OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI, OVER_RESPONSES]);
});

afterAll(async () => {
  await served.close();
  await python?.remove();
});

describe.runIf(python !== undefined).each(CELLS)(
  'Python: $flow over $upstreamName',
  ({ flow, publicId: model }) => {
    it('runs tools, sends their outputs, and pays for each turn', async () => {
      const upstream = served.upstreamOf(model);
      upstream.play(callThenReport);
      const { key, bills } = await served.newUser(model);
      const settings = JSON.stringify({ flow, key, model });
      const came: unknown = JSON.parse(
        (await python?.run('python', [FLOWS, served.url, settings])) ?? '',
      );
      expect(came).toMatchObject({ outputs: ['of Rome', 'of Paris'], reported: 'All is done.' });
      if (!flow.startsWith('langchain')) {
        const className = flow === 'google-genai' ? 'ClientError' : 'NotFoundError';
        expect(came).toMatchObject({ counted: true, listed: [model], thrown: [404, className] });
      }
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill, bill]);
    });
  },
);
