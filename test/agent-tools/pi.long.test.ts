import {
  BROKEN_OFF,
  OVERLOADED_MESSAGES,
  USUAL,
  type Reactions,
} from './support/describe-failures.ts';
import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';

/** Newer ones need a package that the registry does not have. */
const tool = await fetchTool({
  packageName: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  program: 'pi',
});

function startWith(api: string, path: string): (site: Site) => Start {
  return ({ url, key, model }) => ({
    args: ['-p', '--provider', 'weir', '--model', model, 'Do it.'],
    env: { WEIR_KEY: key, PI_OFFLINE: '1' },
    files: {
      home: {
        '.pi/agent/models.json': JSON.stringify({
          providers: {
            weir: {
              baseUrl: url + path,
              api,
              apiKey: '$WEIR_KEY',
              models: [{ id: model, name: model, reasoning: true }],
            },
          },
        }),
      },
    },
  });
}

/** Pi prints nothing at all about an overflow. */
const PI: Reactions = { ...USUAL, overflow: [{ 400: 1 }, /^$/] };

describeTool('pi', {
  tool,
  starts: {
    'chat completions': startWith('openai-completions', '/v1'),
    Responses: startWith('openai-responses', '/v1'),
    Messages: startWith('anthropic-messages', ''),
    Gemini: startWith('google-generative-ai', '/v1beta'),
  },
  losesCallIds: ['Gemini'],
  models: [OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI, OVER_RESPONSES],
  modelsOf: {
    'chat completions': [OVER_CHAT, OVER_ANTHROPIC],
    Responses: [OVER_RESPONSES, OVER_CHAT],
    Messages: [OVER_ANTHROPIC, OVER_CHAT],
    Gemini: [OVER_GEMINI, OVER_CHAT],
  },
  shell: 'bash',
  shellInput: (command) => ({ command }),
  reactions: {
    'chat completions': { ...PI, cutMidway: [{ 200: 1 }, BROKEN_OFF] },
    Responses: { ...PI, noMoney: [{ 429: 1 }, /does not cover this request/] },
    Messages: { ...PI, overloaded: OVERLOADED_MESSAGES, cutMidway: [{ 200: 1 }, BROKEN_OFF] },
    Gemini: PI,
  },
});
