import { USUAL } from './support/describe-failures.ts';
import { describeTool } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
});

describeTool('Codex', {
  tool,
  starts: {
    Responses: ({ url, key, model }) => ({
      args: [
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        'Do it.',
      ],
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
`,
        },
      },
    }),
  },
  models: [OVER_RESPONSES, OVER_CHAT, OVER_ANTHROPIC, OVER_GEMINI],
  shell: 'exec_command',
  shellInput: (command) => ({ cmd: command }),
  // Codex shows words of its own, whatever the message is.
  reactions: {
    Responses: {
      ...USUAL,
      // It shows words of its own, whatever the message is.
      noMoney: [{ 429: 1 }, /Quota exceeded/],
      // Its own number of tries, also at OpenAI.
      unknownKey: [{ 401: 6 }, /key is too short/],
      overflow: [{ 400: 1 }, /ran out of room in the model's context window/],
    },
  },
});
