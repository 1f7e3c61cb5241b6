import { BROKEN_OFF, GETS_OVER_IT, USUAL, type Reactions } from './support/describe-failures.ts';
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
function startWith(library: string, path = '/v1'): (site: Site) => Start {
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
              options: { baseURL: url + path, apiKey: key },
              models: { [model]: { name: model } },
            },
          },
        }),
      },
    },
  });
}

/** One more than other tools: it asks for a title at the same time. */
const WITH_TITLE: Reactions = {
  ...USUAL,
  noMoney: [{ 402: 2 }, /does not cover this request/],
  unknownModel: [{ 404: 2 }, /no-such-model" does not exist/],
  unknownKey: [{ 401: 2 }, /key is too short/],
  overflow: [{ 200: 3, 400: 1 }, GETS_OVER_IT],
  rateLimited: [{ 200: 2, 429: 1 }, GETS_OVER_IT],
  overloaded: [{ 200: 2, 502: 1 }, GETS_OVER_IT],
  cutAtOnce: [{ 200: 2, 502: 1 }, GETS_OVER_IT],
  cutMidway: [{ 200: 2 }, BROKEN_OFF],
};

describeTool('opencode', {
  tool,
  starts: {
    'chat completions': startWith('@ai-sdk/openai-compatible'),
    Responses: startWith('@ai-sdk/openai'),
    Messages: startWith('@ai-sdk/anthropic'),
    Gemini: startWith('@ai-sdk/google', '/v1beta'),
  },
  losesProofs: ['chat completions'],
  losesCallIds: ['Gemini'],
  models: [OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES, OVER_GEMINI],
  modelsOf: {
    Responses: [OVER_RESPONSES, OVER_CHAT],
    Gemini: [OVER_GEMINI, OVER_CHAT],
  },
  shell: 'bash',
  shellInput: (command) => ({ command, description: 'Say it' }),
  reactions: {
    'chat completions': { ...WITH_TITLE, overloaded: [{ 200: 2, 503: 1 }, GETS_OVER_IT] },
    Responses: { ...WITH_TITLE, cutMidway: [{ 200: 3 }, GETS_OVER_IT] },
    Messages: { ...WITH_TITLE, overloaded: [{ 200: 2, 529: 1 }, GETS_OVER_IT] },
    Gemini: { ...WITH_TITLE, cutMidway: [{ 200: 3 }, GETS_OVER_IT] },
  },
});
