import { BROKEN_OFF, USUAL } from './support/describe-failures.ts';
import { describeTool } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT } from './support/models-for-sale.ts';

/** Newer ones lack their program in the registry. */
const tool = await fetchTool({ packageName: '@kilocode/cli', version: '7.7.7', program: 'kilo' });

describeTool('Kilo', {
  tool,
  starts: {
    'chat completions': ({ url, key, model }) => ({
      args: ['run', '--auto', '-m', `weir/${model}`, 'Do it.'],
      env: {
        KILO_DISABLE_MODELS_FETCH: '1',
        KILO_DISABLE_AUTOUPDATE: '1',
        KILO_DISABLE_SESSION_INGEST: '1',
        KILO_DISABLE_PRESENCE: '1',
        KILO_DISABLE_CODEBASE_INDEXING: '1',
        KILO_TELEMETRY_LEVEL: 'off',
      },
      files: {
        home: {
          '.config/kilo/kilo.json': JSON.stringify({
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
  },
  losesProofs: ['chat completions'],
  models: [OVER_CHAT, OVER_ANTHROPIC],
  shell: 'bash',
  shellInput: (command) => ({ command, description: 'Say it' }),
  reactions: {
    // It makes its conversation shorter, tells why and tries again.
    'chat completions': {
      ...USUAL,
      overflow: [{ 200: 3, 400: 1 }, USUAL.overflow[1]],
      cutMidway: [{ 200: 1 }, BROKEN_OFF],
    },
  },
});
