import { said } from './refusal-words.ts';

const LEVEL = ['generationConfig.thinkingConfig.thinkingLevel'];

/** The same as `REFUSALS`, of a field that other models of the vendor take. */
export const OF_MODELS: readonly (readonly [string, unknown, readonly string[]])[] = [
  [
    'SiliconFlow, Tencent/WeKnora#318',
    {
      code: 20_015,
      message: 'Value error, current model does not support parameter `enable_thinking`.',
      data: null,
    },
    ['enable_thinking'],
  ],
  [
    'SiliconFlow, farion1231/cc-switch#1489',
    said('thinking type should be enabled or disabled'),
    ['thinking'],
  ],
  [
    'Meta, duolahypercho/codex-router#286',
    said('`tools[].search_content_types` is only supported for web_search_preview tools.', {
      param: 'tools[].search_content_types',
      code: null,
    }),
    ['tools[].search_content_types'],
  ],
  [
    'Gemini, dhyansraj/mcp-mesh#1346',
    said('Thinking level is not supported for this model.'),
    LEVEL,
  ],
  [
    'Gemini, a level, vellum-ai/vellum-assistant#32687',
    said('Thinking level MINIMAL is not supported for this model.'),
    LEVEL,
  ],
  [
    'Gemini, as the text of another error, RooCodeInc/Roo-Code#10700',
    said(
      '{\n  "error": {\n    "code": 400,\n    "message": "Thinking level is not supported for this model.",\n    "status": "INVALID_ARGUMENT"\n  }\n}\n',
      { code: 400, status: 'Bad Request' },
    ),
    LEVEL,
  ],
  [
    'Gemini, Veloera/Veloera#41',
    said('thinking_config is not supported'),
    ['generationConfig.thinkingConfig'],
  ],
];
