import { chatCallOrder, only, roles, says, toolNames } from '../checks.ts';
import { isObject, items, valueAt, type Vendor } from '../rule.ts';
import { openaiEnvelope, refusing, UNPROVEN } from '../words.ts';
import { isThinkingOff, needsReasoning } from './open-vendors.ts';

const FOUR_ROLES = ['system', 'user', 'assistant', 'tool'];
const LEVELS_MAX = 10;

/** The schemas of the tools and of the format. */
function schemasOf(body: Parameters<typeof valueAt>[0]): readonly unknown[] {
  const tools = items(body['tools']).map(([, tool]) => valueAt(tool, 'function.parameters'));
  return [...tools, valueAt(body, 'response_format.json_schema.schema')];
}

/** Objects and lists of a schema in one another, those of data included. */
function depthOf(schema: unknown): number {
  if (!isObject(schema)) return 0;
  const inside = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'].map(
    (keyword) => schema[keyword],
  );
  for (const keyword of ['properties', '$defs', 'definitions']) {
    const members = schema[keyword];
    if (isObject(members)) inside.push(...Object.values(members));
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const members = schema[keyword];
    if (Array.isArray(members)) inside.push(...(members as readonly unknown[]));
  }
  return 1 + Math.max(0, ...inside.map(depthOf));
}

export const META: Vendor = {
  id: 'meta',
  protocol: 'openai-chat',
  refuse: refusing({}, openaiEnvelope),
  rules: [
    roles(UNPROVEN, FOUR_ROLES),
    chatCallOrder(UNPROVEN),
    toolNames(UNPROVEN, /^[a-zA-Z0-9_-]+$/, 64),
    says('tool_choice', 'TauricResearch/TradingAgents#1301', ({ tool_choice: choice }) =>
      choice === undefined || choice === 'auto'
        ? undefined
        : 'Only tool_choice "auto" is currently supported',
    ),
    says('stop', UNPROVEN, ({ stop }) =>
      stop === undefined ? undefined : 'stop is not currently supported',
    ),
    says('recursion', 'anomalyco/opencode#45800', (body) =>
      JSON.stringify(schemasOf(body)).includes('"$ref"')
        ? 'Recursive JSON schemas are not currently supported'
        : undefined,
    ),
    says('depth', 'anomalyco/opencode#50320', (body) =>
      schemasOf(body).some((schema) => depthOf(schema) > LEVELS_MAX)
        ? 'JSON schema exceeds the maximum nesting depth of 10 levels'
        : undefined,
    ),
    only('decolua/9router#3124', 'reasoning_effort', ['minimal', 'low', 'medium', 'high', 'xhigh']),
  ],
  families: { 'muse-spark-1.2': [], 'muse-spark-1.3-contributor': [] },
};

export const XIAOMI: Vendor = {
  id: 'xiaomi',
  protocol: 'openai-chat',
  refuse: refusing({}, (message) => ({
    status: 400,
    body: { error: { code: '400', message: 'Param Incorrect', param: message, type: '' } },
  })),
  rules: [
    roles(UNPROVEN, FOUR_ROLES),
    chatCallOrder(UNPROVEN),
    says('images of results', 'XiaomiMiMo/MiMo#44, in a comment', ({ messages }) =>
      items(messages).some(([, { role, content }]) => role === 'tool' && Array.isArray(content))
        ? '`text` is not set'
        : undefined,
    ),
    says('image', 'XiaomiMiMo/MiMo-Code#351', ({ messages }) =>
      /data:image\/(?!bmp|gif|png|jpeg|webp)/.test(JSON.stringify(messages))
        ? 'invalid image format, only bmp/gif/png/jpeg/webp are supported'
        : undefined,
    ),
    needsReasoning(
      'earendil-works/pi#4602',
      () => 'The reasoning_content in the thinking mode must be passed back to the API.',
      isThinkingOff,
    ),
  ],
  families: { 'mimo-v2.6-pro': [], 'mimo-v2.6-flash': [] },
};
