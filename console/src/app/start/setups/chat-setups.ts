import { boxes } from './setup-boxes';
import type { SetupPart, SetupValues, Tool } from './tool-setup';

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
export const CHATS: readonly Tool[] = [
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    protocol: 'openai-chat',
    parts: (values) =>
      boxes(
        { address: 'API Host', key: 'API Key', model: 'Model ID' },
        { address: values.gatewayUrl, values },
      ),
    remark: 'tools.keyOnly',
  },
  {
    id: 'nextchat',
    name: 'NextChat',
    protocol: 'openai-chat',
    parts: (values) =>
      boxes(
        { address: 'OpenAI Endpoint', key: 'OpenAI API Key', model: 'Custom Models' },
        { address: values.gatewayUrl, values },
      ),
    remark: 'tools.noVersion',
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    protocol: 'openai-chat',
    parts: (values) =>
      boxes(
        { address: 'URL', key: 'Key', model: 'Model IDs' },
        { address: `${values.gatewayUrl}/v1`, values },
      ),
    remark: 'tools.keyOnly',
  },
  { id: 'lobechat', name: 'LobeChat', protocol: 'openai-chat', parts: lobechat },
];
