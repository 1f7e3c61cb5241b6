/**
 * An MCP server on standard input and output, which an agent starts. It appends each call of a
 * tool, as it came, to the file that its first argument names.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { HOSTILE_TOOLS, resultOf } from './tools.ts';

interface Call {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: unknown;
  };
}

const NO_METHOD = -32_601;
const [callsPath = ''] = process.argv.slice(2);

function callTool({ name, arguments: input }: NonNullable<Call['params']>): object {
  appendFileSync(callsPath, `${JSON.stringify({ name, input })}\n`);
  const at = HOSTILE_TOOLS.findIndex((tool) => tool.name === name);
  const text = at === -1 ? `There is no tool ${String(name)}.` : resultOf(at);
  return { content: [{ type: 'text', text }], isError: at === -1 };
}

function resultFor({ method, params = {} }: Call): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: HOSTILE_TOOLS };
    case 'tools/call':
      return callTool(params);
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const call = JSON.parse(line) as Call;
  // A notification.
  if (call.id === undefined) return;
  const result = resultFor(call);
  const error = { code: NO_METHOD, message: `There is no method ${call.method}.` };
  const reply = { jsonrpc: '2.0', id: call.id, ...(result === undefined ? { error } : { result }) };
  process.stdout.write(`${JSON.stringify(reply)}\n`);
});
