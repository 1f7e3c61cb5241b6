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

/** Open WebUI has an address and a key for each of them, and takes those of chats for none. */
function openWebuiMedia({ gatewayUrl, key, media }: SetupValues): readonly SetupPart[] {
  const { image, speech, transcript } = media;
  const at = (prefix: string): readonly string[] => [
    `${prefix}_OPENAI_API_BASE_URL=${gatewayUrl}/v1`,
    `${prefix}_OPENAI_API_KEY=${key}`,
  ];
  const drawing = [
    'ENABLE_IMAGE_GENERATION=true',
    'IMAGE_GENERATION_ENGINE=openai',
    `IMAGE_GENERATION_MODEL=${image}`,
    'IMAGE_SIZE=1024x1024',
    ...at('IMAGES'),
    'ENABLE_IMAGE_EDIT=true',
    'IMAGE_EDIT_ENGINE=openai',
    `IMAGE_EDIT_MODEL=${image}`,
    ...at('IMAGES_EDIT'),
  ];
  const lines = [
    ...(image === undefined ? [] : drawing),
    ...(speech === undefined
      ? []
      : ['AUDIO_TTS_ENGINE=openai', `AUDIO_TTS_MODEL=${speech}`, ...at('AUDIO_TTS')]),
    ...(transcript === undefined
      ? []
      : ['AUDIO_STT_ENGINE=openai', `AUDIO_STT_MODEL=${transcript}`, ...at('AUDIO_STT')]),
  ];
  return lines.length === 0
    ? []
    : [{ kind: 'code', label: 'tools.imagesAndSound', code: lines.join('\n') }];
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
    media: openWebuiMedia,
    remark: 'tools.keyOnly',
  },
  { id: 'lobechat', name: 'LobeChat', protocol: 'openai-chat', parts: lobechat },
];
