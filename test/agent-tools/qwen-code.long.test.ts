import { describeTool, type Site, type Start } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import { OVER_ANTHROPIC, OVER_CHAT } from './support/models-for-sale.ts';

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

describeTool('Qwen Code', {
  tool,
  starts: {
    'chat completions': startAs('OPENAI', '/v1'),
    Messages: startAs('ANTHROPIC', ''),
  },
  losesProofs: ['chat completions'],
  models: [OVER_ANTHROPIC, OVER_CHAT],
  shell: 'run_shell_command',
  shellInput: (command) => ({ command, description: 'Say it', is_background: false }),
  withoutMoney: { prints: /does not cover this request/, requestsMax: 1 },
});
