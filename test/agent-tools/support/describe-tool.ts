import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../../support/hang.ts';
import type { FetchedTool } from './fetch-tool.ts';
import type { ModelRequest, ModelUpstream, Turn } from './model-upstream.ts';
import type { ProgramEnd } from './run-program.ts';
import { costOf, serveTools, type ServedModel, type ServedTools } from './serve-tools.ts';
import { createWorkplace, type WorkplaceFiles } from './workplace.ts';

/** Where a tool is to find its model. */
export interface Site {
  /** Weir's origin. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** How to start a tool so that it does one task without asking. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files?: WorkplaceFiles;
}

export interface ModelForSale extends Omit<ServedModel, 'upstream'> {
  /** What the upstream of the model speaks, for the test's name. */
  readonly upstreamName: string;
  readonly startUpstream: () => Promise<ModelUpstream>;
}

export interface ToolUnderTest {
  /** Undefined if it could not be fetched: its tests are skipped. */
  readonly tool: FetchedTool | undefined;
  /** By the name of the protocol that the tool is set to. */
  readonly starts: Readonly<Record<string, (site: Site) => Start>>;
  readonly models: readonly ModelForSale[];
  /** The tool's own tool that runs a command. */
  readonly shell: string;
  readonly shellInput: (command: string) => Readonly<Record<string, unknown>>;
  /** What the tool prints when there is no money, and how many requests it sends at most. */
  readonly withoutMoney: { readonly prints: RegExp; readonly requestsMax: number };
}

const FINAL_TEXT = 'All is done.';
const WORDS = 'from-the-shell';

/**
 * Defines a tool's tests, for every protocol that it speaks and every upstream: the model has a
 * command run, gets its output and reports; every turn is charged exactly; without money it stops.
 */
export function describeTool(name: string, underTest: ToolUnderTest): void {
  const { tool, starts, models } = underTest;
  vi.setConfig({ testTimeout: 2 * HANG_MS });
  const upstreams = new Map<string, ModelUpstream>();
  let served: ServedTools;

  beforeAll(async () => {
    const sold: ServedModel[] = [];
    for (const model of models) {
      const upstream = await model.startUpstream();
      upstreams.set(model.publicId, upstream);
      sold.push({ ...model, upstream });
    }
    served = await serveTools(sold);
  });

  afterAll(async () => {
    expect(await served.close()).toBe('Everything adds up.\n');
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    await tool?.remove();
  });

  const run = async (protocol: string, model: string, key: string): Promise<ProgramEnd> => {
    const start = starts[protocol];
    if (tool === undefined || start === undefined) throw new Error('nothing to run');
    const { args, env, files } = start({ url: served.url, key, model });
    const workplace = await createWorkplace(files);
    try {
      return await workplace.run(tool, args, env);
    } finally {
      await workplace.remove();
    }
  };

  const cases = Object.keys(starts).flatMap((protocol) =>
    models.map(({ publicId, upstreamName }) => ({ protocol, publicId, upstreamName })),
  );
  describe.runIf(tool !== undefined).each(cases)(
    `${name} with $protocol over $upstreamName`,
    ({ protocol, publicId }) => {
      it('runs a command and reports, and pays for each turn', async () => {
        const upstream = upstreams.get(publicId);
        if (upstream === undefined) throw new Error(`no upstream of ${publicId}`);
        const user = await served.newUser(publicId);
        upstream.play((request) => turnOf(request, underTest));
        const end = await run(protocol, publicId, user.key);
        const { requests, usage } = upstream;
        expect(end.stdout, end.stderr).toContain(FINAL_TEXT);
        expect(requests.at(-1)?.outputs, end.stdout).toEqual([
          { callId: CALL_ID, text: expect.stringContaining(WORDS) as string, pictures: 0 },
        ]);
        const bill = { status: 'completed', costNanoUsd: costOf(usage) };
        expect(await user.bills()).toEqual(requests.map(() => bill));
      });

      it('shows that there is no money, and does not try for long', async () => {
        const { prints, requestsMax } = underTest.withoutMoney;
        const user = await served.newUser(publicId, 0);
        upstreams.get(publicId)?.play(() => ({ text: 'Never.' }));
        const before = await served.refusedForMoney();
        const end = await run(protocol, publicId, user.key);
        expect(end.stdout + end.stderr).toMatch(prints);
        const refused = (await served.refusedForMoney()) - before;
        expect(refused).toBeGreaterThan(0);
        expect(refused).toBeLessThanOrEqual(requestsMax);
        expect(upstreams.get(publicId)?.requests).toEqual([]);
      });
    },
  );
}

const CALL_ID = 'call_01';

/** Tools also ask for titles and such, without offering their tools. */
function turnOf({ toolNames, outputs }: ModelRequest, tool: ToolUnderTest): Turn {
  if (!toolNames.includes(tool.shell)) return { text: 'A title' };
  if (outputs.length > 0) return { text: FINAL_TEXT };
  const input = tool.shellInput(`echo ${WORDS}`);
  return { text: 'I look.', calls: [{ id: CALL_ID, name: tool.shell, input }] };
}
