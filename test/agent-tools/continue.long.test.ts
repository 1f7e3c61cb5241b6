import { BROKEN_OFF, USUAL } from './support/describe-failures.ts';
import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT, OVER_RESPONSES } from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: '@continuedev/cli',
  version: '1.5.47',
  program: 'cn',
});

/** The tool speaks Responses with newer models of OpenAI, and chat completions with all others. */
function start({ url, key, model }: Site): Start {
  return {
    args: ['-p', 'Do it.', '--auto', '--config', 'config.yaml'],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    files: {
      project: {
        'config.yaml': `
name: Weir
version: 1.0.0
schema: v1
models:
  - name: weir
    provider: openai
    model: ${model}
    apiBase: ${url}/v1
    apiKey: ${key}
    roles: [chat]
`,
      },
    },
  };
}

const CHAT_ALONE = { ...OVER_CHAT, publicId: 'gpt-4.1' };

describeTool('Continue', {
  tool,
  starts: { 'chat completions': start, Responses: start },
  losesProofs: ['chat completions', 'Responses'],
  models: [CHAT_ALONE, OVER_ANTHROPIC, OVER_RESPONSES, OVER_CHAT],
  modelsOf: {
    'chat completions': [CHAT_ALONE, OVER_ANTHROPIC],
    Responses: [OVER_RESPONSES, OVER_CHAT],
  },
  shell: 'Bash',
  shellInput: (command) => ({ command }),
  reactions: {
    'chat completions': { ...USUAL, cutMidway: [{ 200: 1 }, BROKEN_OFF] },
    Responses: {
      ...USUAL,
      // Above its SDK it has retries of its own for every 429, and its user agent is any SDK's.
      noMoney: 'tries for minutes',
      overflow: [{ 400: 1 }, /exceeds the context window of this model/],
      // It prints what has come, and nothing of the failure.
      cutMidway: [{ 200: 1 }, /^I look\.$/m],
    },
  },
});
