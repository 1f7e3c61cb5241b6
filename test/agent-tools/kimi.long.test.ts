import { GETS_OVER_IT, USUAL } from './support/describe-failures.ts';
import { describeTool } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT } from './support/models-for-sale.ts';

const tool = await fetchTool({
  packageName: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  program: 'kimi',
});

describeTool('Kimi Code', {
  tool,
  starts: {
    'chat completions': ({ url, key, model }) => ({
      args: ['-p', 'Do it.'],
      env: {},
      files: {
        home: {
          '.kimi-code/config.toml': `
default_model = "weir"
[providers.weir]
type = "openai"
base_url = "${url}/v1"
api_key = "${key}"
[models.weir]
provider = "weir"
model = "${model}"
max_context_size = 200000
`,
        },
      },
    }),
  },
  losesProofs: ['chat completions'],
  models: [OVER_CHAT, OVER_ANTHROPIC],
  shell: 'Bash',
  shellInput: (command) => ({ command }),
  reactions: {
    // It makes the conversation shorter.
    'chat completions': { ...USUAL, overflow: [{ 200: 3, 400: 1 }, GETS_OVER_IT] },
  },
});
