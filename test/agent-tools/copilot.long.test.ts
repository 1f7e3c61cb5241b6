import { OVERLOADED_MESSAGES, USUAL } from './support/describe-failures.ts';
import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES } from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
});

function startAs(type: string, wireApi: string, path: string): (site: Site) => Start {
  return ({ url, key, model }) => ({
    args: ['-p', 'Do it.', '--allow-all-tools', '--no-color'],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: url + path,
      COPILOT_PROVIDER_TYPE: type,
      COPILOT_PROVIDER_WIRE_API: wireApi,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model,
    },
  });
}

const OWN_WORDS = {
  unknownModel: [{ 404: 1 }, /Model 'no-such-model' not found/],
  unknownKey: [{ 401: 1 }, /Check your COPILOT_PROVIDER_API_KEY/],
} as const;

describeTool('Copilot', {
  tool,
  starts: {
    'chat completions': startAs('openai', 'completions', '/v1'),
    Responses: startAs('openai', 'responses', '/v1'),
    Messages: startAs('anthropic', '', ''),
  },
  losesProofs: ['chat completions'],
  models: [OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES],
  modelsOf: {
    'chat completions': [OVER_CHAT, OVER_ANTHROPIC],
    Responses: [OVER_RESPONSES, OVER_CHAT],
    Messages: [OVER_ANTHROPIC, OVER_CHAT],
  },
  shell: 'bash',
  shellInput: (command) => ({ command, description: 'Say it' }),
  reactions: {
    'chat completions': { ...USUAL, ...OWN_WORDS },
    Responses: {
      ...USUAL,
      ...OWN_WORDS,
      noMoney: [{ 429: 1 }, /does not cover this request/],
      overflow: [{ 400: 1 }, /exceeds the context window of this model/],
    },
    Messages: {
      ...USUAL,
      ...OWN_WORDS,
      overflow: [{ 400: 1 }, /rejected the prompt as too long/],
      overloaded: OVERLOADED_MESSAGES,
    },
  },
});
