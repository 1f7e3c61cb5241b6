import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-29';

export const XIAOMI: Vendor = {
  id: 'xiaomi',
  label: 'Xiaomi MiMo',
  source:
    '@earendil-works/pi-ai 1.6.0 providers/data xiaomi.json; XiaomiMiMo/MiMo#44; XiaomiMiMo/MiMo-V2-Flash#8; docs.agno.com/models/providers/native/xiaomi/overview',
  checkedOn: CHECKED_ON,
  hosts: ['api.xiaomimimo.com', 'token-plan-*.xiaomimimo.com'],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    // "invalid image format, only bmp/gif/png/jpeg/webp are supported"; the results of tools are
    // text alone.
    media: { pdf: false, toolResultImages: false },
  },
  byProtocol: {
    'openai-chat': { effortField: 'thinking', efforts: ['none', 'high'], jsonSchema: 'prompt' },
  },
};
