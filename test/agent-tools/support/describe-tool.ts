import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { describeFailures, type Reactions } from './describe-failures.ts';
import type { FetchedTool } from './fetch-tool.ts';
import type { ModelRequest, Turn } from './model-upstream.ts';
import type { ProgramEnd } from './run-program.ts';
import { costOf, type ModelForSale } from './sell-models.ts';
import { serveTools, type ServedTools } from './serve-tools.ts';
import { createWorkplace, type WorkplaceFiles } from './workplace.ts';

/** The address, key and model that a tool is to use. */
export interface Site {
  /** Weir's origin. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** The command that starts a tool so that it does one task without asking. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files?: WorkplaceFiles;
}

export interface ToolUnderTest {
  /** Undefined if it could not be fetched: its tests are skipped. */
  readonly tool: FetchedTool | undefined;
  /** By the name of the protocol that the tool is set to. */
  readonly starts: Readonly<Record<string, (site: Site) => Start>>;
  /** Protocols in which the tool does not send back the proofs of thoughts. */
  readonly losesProofs?: readonly string[];
  /** Protocols in which the tool does not send back the ids of calls. */
  readonly losesCallIds?: readonly string[];
  readonly models: readonly ModelForSale[];
  /** By protocol, where the tool is not run with all of them. */
  readonly modelsOf?: Readonly<Record<string, readonly ModelForSale[]>>;
  /** The tool's own tool that runs a command. */
  readonly shell: string;
  readonly shellInput: (command: string) => Readonly<Record<string, unknown>>;
  /** By protocol. */
  readonly reactions: Readonly<Record<string, Reactions>>;
}

const FINAL_TEXT = 'All is done.';
const CALL_ID = 'call_01';
/** Base64, as vendors send it. */
const THOUGHT = { text: 'A command tells it.', proof: 'cHJvb2Ygb2YgdGhlIHRob3VnaHQ+Lw==' };
const WORDS = 'from-the-shell';

/**
 * Defines a tool's tests, for every protocol that it speaks and every upstream: the model has a
 * command run, gets its output and the proof of its own thought, and reports; every turn is charged
 * exactly; without money it stops.
 */
export function describeTool(name: string, underTest: ToolUnderTest): void {
  const { tool, starts, models, modelsOf = {}, losesProofs = [], losesCallIds = [] } = underTest;
  vi.setConfig({ testTimeout: 2 * HANG_MS });
  let served: ServedTools;

  beforeAll(async () => {
    served = await serveTools(models);
  });

  afterAll(async () => {
    expect(await served.close()).toBe('Everything adds up.\n');
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

  describe.runIf(tool !== undefined).each(Object.keys(starts))(`${name} with %s`, (protocol) => {
    it.each(modelsOf[protocol] ?? models)(
      'runs a command, reports, and pays for each turn, over $upstreamName',
      async ({ publicId }) => {
        const upstream = served.upstreamOf(publicId);
        const user = await served.newUser(publicId);
        upstream.play((request) => turnOf(request, underTest));
        const end = await run(protocol, publicId, user.key);
        const { requests, usage } = upstream;
        const provable = upstream.keepsProofs && !losesProofs.includes(protocol);
        const callId = losesCallIds.includes(protocol) ? (expect.any(String) as string) : CALL_ID;
        expect(end.stdout, end.stderr).toContain(FINAL_TEXT);
        expect(requests.at(-1), end.stdout).toMatchObject({
          outputs: [{ callId, text: expect.stringContaining(WORDS) as string }],
          ...(provable ? { proofs: [THOUGHT.proof] } : {}),
        });
        const bill = { status: 'completed', costNanoUsd: costOf(usage) };
        expect(await user.bills()).toEqual(requests.map(() => bill));
      },
    );

    const { publicId = '' } = (modelsOf[protocol] ?? models)[0] ?? {};
    const reactions = underTest.reactions[protocol];
    if (reactions === undefined) throw new Error(`no reactions of ${name} with ${protocol}`);
    describeFailures({
      served: () => served,
      publicId,
      reactions,
      isForTask: (request) => isForTask(request, underTest),
      run: (model, key) => run(protocol, model, key),
    });
  });
}

/** Tools also ask for titles and such, without offering their tools. */
function isForTask({ toolNames }: ModelRequest, tool: ToolUnderTest): boolean {
  return toolNames.includes(tool.shell);
}

function turnOf(request: ModelRequest, tool: ToolUnderTest): Turn {
  if (!isForTask(request, tool)) return { text: 'A title' };
  if (request.outputs.length > 0) return { text: FINAL_TEXT };
  const input = tool.shellInput(`echo ${WORDS}`);
  return { thought: THOUGHT, text: 'I look.', calls: [{ id: CALL_ID, name: tool.shell, input }] };
}
