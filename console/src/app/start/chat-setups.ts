import { boxes } from './setup-boxes';
import type { SetupPart, SetupValues, ToolSetup } from './tool-setup';

function lobechat({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: { file: '.env' },
      code: [
        `OPENAI_PROXY_URL=${gatewayUrl}/v1`,
        `OPENAI_API_KEY=${key}`,
        `OPENAI_MODEL_LIST=+${model}`,
      ].join('\n'),
    },
  ];
}

/** Applications to talk with. */
export function chats(values: SetupValues): readonly ToolSetup[] {
  const { gatewayUrl } = values;
  return [
    {
      id: 'cherry-studio',
      name: 'Cherry Studio',
      protocol: 'chat_completions',
      parts: boxes(
        { address: 'API Host', key: 'API Key', model: 'Model ID' },
        { address: gatewayUrl, values },
      ),
      remark: 'tools.keyOnly',
    },
    {
      id: 'nextchat',
      name: 'NextChat',
      protocol: 'chat_completions',
      parts: boxes(
        { address: 'OpenAI Endpoint', key: 'OpenAI API Key', model: 'Custom Models' },
        { address: gatewayUrl, values },
      ),
      remark: 'tools.noVersion',
    },
    {
      id: 'open-webui',
      name: 'Open WebUI',
      protocol: 'chat_completions',
      parts: boxes(
        { address: 'URL', key: 'Key', model: 'Model IDs' },
        { address: `${gatewayUrl}/v1`, values },
      ),
      remark: 'tools.keyOnly',
    },
    { id: 'lobechat', name: 'LobeChat', protocol: 'chat_completions', parts: lobechat(values) },
  ];
}
