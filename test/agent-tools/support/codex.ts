import type { Site, Start } from './describe-tool.ts';
import type { AgentTool } from './fetch-tool.ts';

export const CODEX: AgentTool = {
  packageName: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
};

/** Codex does one task without asking. */
export function startCodex(site: Site): Start {
  return start(site, '');
}

/** The same over WebSocket, which Codex tries first with its own provider only. */
export function startCodexOverWebSocket(site: Site): Start {
  return start(site, 'supports_websockets = true');
}

function start({ url, key, model }: Site, provider: string): Start {
  return {
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Do it.'],
    env: { WEIR_KEY: key },
    files: {
      home: {
        '.codex/config.toml': `
model = "${model}"
model_provider = "weir"
check_for_update_on_startup = false
[model_providers.weir]
name = "Weir"
base_url = "${url}/v1"
env_key = "WEIR_KEY"
wire_api = "responses"
${provider}
`,
      },
    },
  };
}
