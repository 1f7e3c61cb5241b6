import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  isServed,
  openStrictGateway,
  publicName,
  type StrictGateway,
} from '../gateway/protocols/support/strict/strict-gateway.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import {
  STRICT_ROWS,
  type StrictRow,
  type TurnOf,
} from '../support/upstreams/strict-upstream/strict-upstream.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { sampleInput } from './support/hostile-mcp/sample-input.ts';
import { HOSTILE_TOOLS, TOOL_NUMBER } from './support/hostile-mcp/tools.ts';
import { MCP_AGENTS } from './support/mcp-agents.ts';
import { createWorkplace } from './support/workplace.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const SERVER = fileURLToPath(new URL('support/hostile-mcp/server.ts', import.meta.url));
const FINAL_TEXT = 'All is done.';
const THOUGHT = 'A tool tells it.';
/** Nine with calls, and one with the last text. */
const TURNS = 10;
const CALLS_PER_TURN = 2;
const CALLS = (TURNS - 1) * CALLS_PER_TURN;

/** A pattern of `Codex over openai/o3` and the like; if absent, one row of each vendor is asked. */
const { HOSTILE_TOOLS_CELLS: pattern } = process.env;
const SERVED = STRICT_ROWS.filter(isServed);

function rowsOf(agent: string): readonly StrictRow[] {
  return SERVED.filter(({ name, vendor }, at) =>
    pattern === undefined
      ? SERVED.findLastIndex((row) => row.vendor === vendor) === at
      : new RegExp(pattern).test(`${agent} over ${name}`),
  );
}

/** The tools that a row's model calls, by their numbers: all are called by some row. */
function plannedOf(row: StrictRow): readonly number[] {
  const start = STRICT_ROWS.indexOf(row) * CALLS;
  return Array.from({ length: CALLS }, (_, at) => (start + at) % HOSTILE_TOOLS.length);
}

/** Calls two of the planned tools in each turn, by the names and schemas that the row is shown. */
const callPlannedTools: TurnOf = ({ row, view: { tools, results } }) => {
  const shown = new Map(
    tools.flatMap((tool) => {
      const number = TOOL_NUMBER.exec(tool.description)?.[1];
      return number === undefined ? [] : [[Number(number), tool] as const];
    }),
  );
  if (shown.size === 0) return { pieces: ['A title'] };
  const begun = results.length;
  const numbers = plannedOf(row)
    .filter((number) => shown.has(number))
    .slice(begun, begun + CALLS_PER_TURN);
  if (numbers.length === 0) return { pieces: [FINAL_TEXT] };
  const calls = numbers.map((number, at) => {
    const { name = '', namespace, schema } = shown.get(number) ?? {};
    const root = (schema ?? { type: 'object' }) as Readonly<Record<string, unknown>>;
    // Nine letters and digits, as Mistral's.
    const id = `call${String(begun + at).padStart(5, '0')}`;
    const input = sampleInput(root, root) as object;
    return { id, name, input, ...(namespace !== undefined && { namespace }) };
  });
  return { thought: THOUGHT, calls };
};

interface RunCall {
  readonly name: string;
  readonly input: unknown;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Returns the fault of a call that has reached the server; undefined without one. */
function faultOf({ name, input }: RunCall): string | undefined {
  const tool = HOSTILE_TOOLS.find((one) => one.name === name);
  if (tool === undefined) return `${name} is no tool`;
  const { $schema: _draft, ...schema } = tool.inputSchema;
  if (ajv.validate(schema, input ?? {})) return undefined;
  return `${name}: ${ajv.errorsText()}: ${JSON.stringify(input)}`;
}

let gateway: StrictGateway;
let callsFolder: string;

beforeAll(async () => {
  gateway = await openStrictGateway(callPlannedTools);
  callsFolder = await mkdtemp(join(tmpdir(), 'weir-hostile-calls-'));
});

afterAll(async () => {
  await gateway.close();
  await rm(callsFolder, { recursive: true, force: true });
});

for (const { name, tool: agentTool, leavesOut, start } of MCP_AGENTS) {
  const rows = rowsOf(name);
  if (rows.length === 0) continue;
  const tool = await fetchTool(agentTool);

  describe.runIf(tool !== undefined)(`${name} with sixty hostile tools`, () => {
    afterAll(() => tool?.remove());

    it.each(rows)('holds a session of ten turns over $name', async (row) => {
      if (tool === undefined) return;
      gateway.upstream.take(row);
      const site = { url: gateway.url, key: gateway.key, model: publicName(row) };
      const callsFile = join(callsFolder, `${name}-${publicName(row)}.jsonl`);
      const server = { command: process.execPath, args: [SERVER, callsFile] };
      const { args, env, files } = start(site, server);
      const workplace = await createWorkplace(files);
      try {
        const { stdout, stderr } = await workplace.run(tool, args, env);
        const requests = gateway.upstream.take(row);
        const refusals = requests.flatMap(({ refusal }) => refusal ?? []);
        const told = `${stdout}\n${stderr}\n${JSON.stringify(refusals)}`;
        expect(stdout, told).toContain(FINAL_TEXT);
        const calls = await readCalls(callsFile);
        // Those of one turn run at once.
        expect(calls.map(({ name: called }) => called).toSorted(), told).toEqual(
          plannedOf(row)
            .filter((number) => !leavesOut.includes(number))
            .map((number) => HOSTILE_TOOLS[number]?.name)
            .toSorted(),
        );
        expect(calls.flatMap((call) => faultOf(call) ?? [])).toEqual([]);
      } finally {
        await workplace.remove();
      }
    });
  });
}

async function readCalls(path: string): Promise<readonly RunCall[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as RunCall);
}
