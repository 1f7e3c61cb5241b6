import { BROKEN_OFF, USUAL } from './support/describe-failures.ts';
import { describeTool } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_CHAT, OVER_RESPONSES } from './support/models-for-sale.ts';

const tool = await fetchTool({ packageName: 'cline', version: '3.0.65', program: 'cline' });

describeTool('Cline', {
  tool,
  starts: {
    Responses: ({ url, key, model }) => ({
      args: ['--json', '-P', 'openai-native', '-m', model, '-k', key, 'Do it.'],
      env: { CLINE_NO_AUTO_UPDATE: '1', DISABLE_TELEMETRY: '1' },
      files: {
        home: {
          // As `cline auth` writes it, which takes long without a network.
          '.cline/data/settings/providers.json': JSON.stringify({
            version: 1,
            lastUsedProvider: 'openai-native',
            modes: {},
            providers: {
              'openai-native': {
                settings: {
                  provider: 'openai-native',
                  apiKey: key,
                  model,
                  baseUrl: `${url}/v1`,
                },
                updatedAt: '2026-01-01T00:00:00.000Z',
                tokenSource: 'manual',
              },
            },
          }),
        },
      },
    }),
  },
  // It sends no reasoning back.
  losesProofs: ['Responses'],
  models: [OVER_RESPONSES, OVER_CHAT],
  shell: 'run_commands',
  shellInput: (command) => ({ commands: [command] }),
  reactions: {
    Responses: {
      ...USUAL,
      overflow: [{ 400: 1 }, /exceeds the context window of this model/],
      cutMidway: [{ 200: 1 }, BROKEN_OFF],
    },
  },
});
