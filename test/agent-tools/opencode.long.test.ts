import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  setupScript: 'postinstall.mjs',
});

/** opencode speaks what the client library of its provider speaks. */
function startWith(library: string): (site: Site) => Start {
  return ({ url, key, model }) => ({
    args: ['run', '--model', `weir/${model}`, 'Do it.'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    files: {
      project: {
        'opencode.json': JSON.stringify({
          permission: { bash: 'allow' },
          provider: {
            weir: {
              npm: library,
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { [model]: { name: model } },
            },
          },
        }),
      },
    },
  });
}

describeTool('opencode', {
  tool,
  starts: {
    'chat completions': startWith('@ai-sdk/openai-compatible'),
    Messages: startWith('@ai-sdk/anthropic'),
  },
  losesProofs: ['chat completions'],
  models: [OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES, OVER_GEMINI],
  shell: 'bash',
  shellInput: (command) => ({ command, description: 'Say it' }),
  withoutMoney: { prints: /does not cover this request/, requestsMax: 2 },
});
