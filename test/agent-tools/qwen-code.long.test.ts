import { BROKEN_OFF, GETS_OVER_IT, USUAL, type Reactions } from './support/describe-failures.ts';
import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI } from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
});

function startAs(prefix: string, path: string): (site: Site) => Start {
  const type = prefix.toLowerCase();
  return ({ url, key, model }) => ({
    args: ['-p', 'Do it.', '--yolo', '--auth-type', type, '--model', model],
    env: {
      [`${prefix}_API_KEY`]: key,
      [`${prefix}_BASE_URL`]: url + path,
      [`${prefix}_MODEL`]: model,
      QWEN_TELEMETRY_ENABLED: 'false',
    },
  });
}

/** One more than other tools at the end: it asks for a summary of what it has done. */
const QWEN: Reactions = {
  ...USUAL,
  rateLimited: [{ 200: 2, 429: 1 }, GETS_OVER_IT],
  overloaded: [{ 200: 2, 502: 1 }, GETS_OVER_IT],
  cutAtOnce: [{ 200: 2, 502: 1 }, GETS_OVER_IT],
  cutMidway: [{ 200: 3 }, GETS_OVER_IT],
};

describeTool('Qwen Code', {
  tool,
  starts: {
    'chat completions': startAs('OPENAI', '/v1'),
    Messages: startAs('ANTHROPIC', ''),
    Gemini: ({ url, key, model }) => ({
      args: ['-p', 'Do it.', '--yolo', '--auth-type', 'gemini', '--model', model],
      env: {
        GEMINI_API_KEY: key,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_MODEL: model,
        QWEN_TELEMETRY_ENABLED: 'false',
      },
    }),
  },
  losesProofs: ['chat completions'],
  models: [OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI],
  modelsOf: {
    'chat completions': [OVER_CHAT, OVER_ANTHROPIC],
    Messages: [OVER_ANTHROPIC, OVER_CHAT],
    Gemini: [OVER_GEMINI, OVER_CHAT],
  },
  shell: 'run_shell_command',
  shellInput: (command) => ({ command, description: 'Say it', is_background: false }),
  reactions: {
    'chat completions': QWEN,
    Messages: {
      ...QWEN,
      overflow: [{ 400: 1 }, /prompt is too long/],
      overloaded: [{ 200: 2, 529: 1 }, GETS_OVER_IT],
      cutMidway: [{ 200: 1 }, BROKEN_OFF],
    },
    Gemini: { ...QWEN, overflow: [{ 400: 1 }, /exceeds the maximum number of tokens allowed/] },
  },
});
