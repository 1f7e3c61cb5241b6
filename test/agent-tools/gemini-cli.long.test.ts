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
  packageName: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
});

/** Without it, the tool takes another address for a gateway that needs a login. */
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
};

describeTool('Gemini CLI', {
  tool,
  starts: {
    Gemini: ({ url, key, model }) => ({
      args: ['--prompt', 'Do it.', '--yolo', '--model', model],
      env: {
        GEMINI_API_KEY: key,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      files: { home: { '.gemini/settings.json': JSON.stringify(SETTINGS) } },
    }),
  },
  models: [OVER_GEMINI, OVER_CHAT, OVER_ANTHROPIC, OVER_RESPONSES],
  shell: 'run_shell_command',
  shellInput: (command) => ({ command }),
  reactions: {
    Gemini: { ...USUAL, overflow: [{ 400: 1 }, /exceeds the maximum number of tokens allowed/] },
  },
});
