/** Starts of agents that do one task with the tools of one MCP server. */
import { HANG_MS } from '../../support/clocks/hang.ts';
import type { AgentTool } from './fetch-tool.ts';
import { CODEX, startCodex } from './codex.ts';
import type { Site, Start } from './describe-tool.ts';

/** A server on standard input and output, as an agent starts it. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpAgent {
  readonly name: string;
  readonly tool: AgentTool;
  /** Tools, by their numbers, that it offers to no model. */
  readonly leavesOut: readonly number[];
  readonly start: (site: Site, server: McpServer) => Start;
}

const CLAUDE_CODE: McpAgent = {
  name: 'Claude Code',
  tool: {
    packageName: '@anthropic-ai/claude-code',
    version: '2.1.332',
    program: 'claude',
    setupScript: 'install.cjs',
  },
  // Names of properties that Anthropic refuses.
  leavesOut: [17, 43],
  start: ({ url, key, model }, server) => {
    const mcp = JSON.stringify({ mcpServers: { hostile: { type: 'stdio', ...server } } });
    const tools = ['--mcp-config', mcp, '--strict-mcp-config', '--allowedTools', 'mcp__hostile'];
    return {
      args: ['-p', 'Do it.', '--model', model, ...tools],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: key,
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // It offers all tools at once, and waits for the server that has them.
        ENABLE_TOOL_SEARCH: 'false',
        MCP_CONNECTION_NONBLOCKING: 'false',
        MCP_TIMEOUT: String(HANG_MS),
      },
    };
  },
};

const CODEX_WITH_MCP: McpAgent = {
  name: 'Codex',
  tool: CODEX,
  leavesOut: [],
  start: (site, { command, args }) => {
    const { files, ...start } = startCodex(site);
    const path = '.codex/config.toml';
    const config = `${files?.home?.[path] ?? ''}
[mcp_servers.hostile]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
startup_timeout_sec = ${String(Math.ceil(HANG_MS / 1_000))}
`;
    return { ...start, files: { home: { [path]: config } } };
  },
};

const GEMINI_CLI: McpAgent = {
  name: 'Gemini CLI',
  tool: { packageName: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  leavesOut: [],
  start: ({ url, key, model }, server) => ({
    args: ['--prompt', 'Do it.', '--yolo', '--model', model],
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    files: {
      home: {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          mcpServers: { hostile: { ...server, trust: true } },
        }),
      },
    },
  }),
};

const OPENCODE: McpAgent = {
  name: 'opencode',
  tool: {
    packageName: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    setupScript: 'postinstall.mjs',
  },
  leavesOut: [],
  start: ({ url, key, model }, { command, args }) => ({
    args: ['run', '--model', `weir/${model}`, 'Do it.'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    files: {
      project: {
        'opencode.json': JSON.stringify({
          mcp: {
            hostile: {
              type: 'local',
              command: [command, ...args],
              enabled: true,
              timeout: HANG_MS,
            },
          },
          provider: {
            weir: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { [model]: { name: model } },
            },
          },
        }),
      },
    },
  }),
};

/** One of each protocol: Messages, Responses, Gemini and chat completions. */
export const MCP_AGENTS: readonly McpAgent[] = [CLAUDE_CODE, CODEX_WITH_MCP, GEMINI_CLI, OPENCODE];
