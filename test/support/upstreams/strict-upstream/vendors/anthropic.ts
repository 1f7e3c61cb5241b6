import {
  callIds,
  imageTypes,
  only,
  onlyFields,
  range,
  says,
  toolNames,
  toolSchemas,
  formatSchema,
  unsupported,
} from '../checks.ts';
import {
  first,
  isObject,
  items,
  rule,
  text,
  valueAt,
  type Json,
  type Rule,
  type Vendor,
} from '../rule.ts';
import { countLoose, type SchemaLimits } from '../schema-check.ts';
import { UNPROVEN } from '../words.ts';
import { conversationRules, isThinking } from './anthropic-conversation.ts';
import { refuseAsAnthropic } from './anthropic-words.ts';

const SDK = 'npm @anthropic-ai/sdk 0.137.0 and 1.14.0, MessageCreateParams and its beta';
const LITELLM = 'litellm 1.110.2 llms/anthropic/chat/transformation.py';
const COMMON = 'litellm 1.110.2 llms/anthropic/common_utils.py';
const PARAMS = 'modelparams 0.0.53';

const FIELDS = `max_tokens messages model cache_control container diagnostics inference_geo metadata
  output_config service_tier speed stop_sequences stream system temperature thinking tool_choice
  tools top_k top_p user_profile_id workspace_id billing_policy compaction context_management
  fallback_credit_token fallbacks mcp_servers output_format thread`.split(/\s+/);

const TOOL_SCHEMA: SchemaLimits = {
  rootObject: true,
  rootRefused: ['oneOf', 'allOf', 'anyOf'],
  keyPattern: /^[a-zA-Z0-9_.-]{1,64}$/,
};

/** The grammar's limits: litellm filter_anthropic_output_schema and its issue 19444. */
const STRICT_SCHEMA: SchemaLimits = {
  closed: true,
  minItemsMax: 1,
  refused: `maxItems uniqueItems contains minContains maxContains prefixItems minimum maximum
    exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minProperties maxProperties
    patternProperties propertyNames dependentRequired dependentSchemas unevaluatedProperties if then
    else not oneOf`.split(/\s+/),
};

const COUNTS = { strict: 20, optional: 24, union: 16, cacheMarks: 4 } as const;

/** camel-ai/camel#4171, elie222/inbox-zero#2323, litellm _CLAUDE_STRICT_TOOLS_REJECTION. */
const strictCounts = says(
  'strict tools',
  'camel-ai/camel#4171, elie222/inbox-zero#2323',
  (_body, { tools, format }) => {
    const strict = tools.filter((tool) => tool.strict);
    if (strict.length > COUNTS.strict) {
      return `Too many strict tools (${String(strict.length)}). The maximum number of strict tools supported is ${String(COUNTS.strict)}. Try reducing the number of tools marked as strict.`;
    }
    const schemas = [...strict.map(({ schema }) => schema), format?.schema];
    const loose = schemas.map(countLoose);
    const optional = loose.reduce((sum, count) => sum + count.optional, 0);
    const union = loose.reduce((sum, count) => sum + count.union, 0);
    if (optional > COUNTS.optional) {
      return `Schemas contains too many optional parameters (${String(optional)}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${String(COUNTS.optional)}).`;
    }
    return union > COUNTS.union
      ? `Schemas contains too many parameters with union types (${String(union)} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: ${String(COUNTS.union)}).`
      : undefined;
  },
  'tools',
);

const cacheMarks = says('cache_control', UNPROVEN, (body) => {
  const count = JSON.stringify(body).split('"cache_control":{').length - 1;
  return count > COUNTS.cacheMarks
    ? `A maximum of ${String(COUNTS.cacheMarks)} blocks with cache_control may be provided. Found ${String(count)}.`
    : undefined;
});

const toolFields = rule('tool field', SDK, ({ tools }) =>
  first(items(tools), ([at, tool]) => {
    if ((tool['type'] ?? 'custom') !== 'custom') return undefined;
    const known =
      'type name description input_schema cache_control strict defer_loading allowed_callers eager_input_streaming input_examples';
    const key = Object.keys(tool).find((name) => !known.split(' ').includes(name));
    return key === undefined ? undefined : { kind: 'unknown', path: ['tools', at, 'custom', key] };
  }),
);

const uniqueTools = says(
  'tool name',
  'litellm llms/anthropic/chat/transformation.py, line 174',
  (_body, { tools }) =>
    new Set(tools.map(({ name }) => name)).size < tools.length
      ? 'tools: Tool names must be unique.'
      : undefined,
  'tools',
);

const RULES: readonly Rule[] = [
  onlyFields(SDK, FIELDS),
  toolFields,
  range(SDK, 'max_tokens', 1),
  range(SDK, 'temperature', 0, 1),
  toolNames('anthropics/claude-code#96152', /^[a-zA-Z0-9_-]{1,128}$/, 128, 200),
  uniqueTools,
  callIds('anthropics/claude-code reports of tool_use.id', /^[a-zA-Z0-9_-]+$/, Infinity),
  toolSchemas('anthropics/claude-code#40075, diegosouzapw/OmniRoute#13552', TOOL_SCHEMA),
  imageTypes(SDK, ['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
  says('stop_sequences', UNPROVEN, ({ stop_sequences: stops }) =>
    Array.isArray(stops) && stops.some((stop) => text(stop).trim() === '')
      ? 'stop_sequences: each stop sequence must contain non-whitespace'
      : undefined,
  ),
  says('metadata.user_id', 'BerriAI/litellm#10102', (body) =>
    text(valueAt(body, 'metadata.user_id')).length > 256
      ? 'metadata.user_id: String should have at most 256 characters'
      : undefined,
  ),
  strictCounts,
  cacheMarks,
  ...conversationRules,
];

/** One family's columns. */
interface Columns {
  readonly thinking: readonly ('enabled' | 'adaptive' | 'disabled')[];
  readonly efforts?: string;
  /** `both`: also together; `either`: one of the two; `none`: refused but for the default. */
  readonly sampling: 'both' | 'either' | 'none';
  readonly forced: 'yes' | 'without_thinking' | 'no';
  readonly structured: boolean;
  readonly prefill: boolean;
  readonly system: boolean;
  readonly outputTokensMax: number;
}

const BUDGET: Columns = {
  thinking: ['enabled', 'disabled'],
  sampling: 'either',
  forced: 'without_thinking',
  structured: false,
  prefill: true,
  system: false,
  outputTokensMax: 64_000,
};
const ADAPTIVE: Columns = {
  thinking: ['adaptive', 'disabled'],
  efforts: 'low medium high xhigh max',
  sampling: 'none',
  forced: 'yes',
  structured: true,
  prefill: false,
  system: false,
  outputTokensMax: 128_000,
};

/** modelparams 0.0.53 (params of each model), litellm's map (supports_*, max_output_tokens). */
const FAMILIES: Readonly<Record<string, Columns>> = {
  'claude-3-5-haiku-20241022': {
    ...BUDGET,
    thinking: [],
    sampling: 'both',
    outputTokensMax: 8_192,
  },
  'claude-3-7-sonnet-20250219': { ...BUDGET, sampling: 'both' },
  'claude-sonnet-4-20250514': { ...BUDGET, sampling: 'both' },
  'claude-opus-4-1-20250805': { ...BUDGET, outputTokensMax: 32_000, structured: true },
  'claude-haiku-4-5-20251001': { ...BUDGET, structured: true },
  'claude-opus-4-5-20251101': { ...BUDGET, structured: true, efforts: 'low medium high' },
  'claude-opus-4-6': {
    ...ADAPTIVE,
    thinking: ['enabled', 'adaptive', 'disabled'],
    efforts: 'low medium high max',
    sampling: 'either',
    forced: 'without_thinking',
  },
  'claude-opus-4-7': ADAPTIVE,
  'claude-sonnet-5': ADAPTIVE,
  'claude-opus-5': { ...ADAPTIVE, system: true },
  'claude-haiku-5-5': { ...ADAPTIVE, system: true },
  'claude-sonnet-5-5': { ...ADAPTIVE, thinking: ['adaptive'], forced: 'no', system: true },
  'claude-opus-5-5': { ...ADAPTIVE, thinking: ['adaptive'], forced: 'no', system: true },
  'claude-fable-5-1': { ...ADAPTIVE, thinking: ['adaptive'], forced: 'no', system: true },
};

function thinkingRules(model: string, { thinking, efforts }: Columns): Rule[] {
  return [
    says('thinking.type', `${PARAMS}; SigmaNight/basiliskLLM#1185`, (body) => {
      const type = text(valueAt(body, 'thinking.type'));
      if (type === '' || thinking.some((known) => known === type)) return undefined;
      if (type === 'adaptive') return 'adaptive thinking is not supported on this model';
      if (type === 'disabled' && thinking.length === 0) return undefined;
      if (thinking.length === 0) return `'${model}' does not support thinking.`;
      return `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`;
    }),
    says('thinking.budget_tokens', PARAMS, (body) => {
      const budget = valueAt(body, 'thinking.budget_tokens');
      if (typeof budget !== 'number') return undefined;
      if (budget < 1024) {
        return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
      }
      return budget >= Number(body['max_tokens'])
        ? '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size'
        : undefined;
    }),
    efforts === undefined
      ? says('output_config.effort', 'anthropics/claude-code#30010', (body) =>
          valueAt(body, 'output_config.effort') === undefined
            ? undefined
            : 'This model does not support the effort parameter.',
        )
      : only(`${PARAMS}; ${LITELLM}`, 'output_config.effort', efforts.split(' ')),
    says('output_config.effort', 'anthropics/claude-code#76997', (body) => {
      const effort = text(valueAt(body, 'output_config.effort'));
      const isOff = valueAt(body, 'thinking.type') === 'disabled';
      return model === 'claude-opus-5' && isOff && /xhigh|max/.test(effort)
        ? `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`
        : undefined;
    }),
  ];
}

function samplingRules({ sampling }: Columns): Rule[] {
  if (sampling === 'none') {
    return [
      unsupported(COMMON, ['temperature'], { unless: ({ temperature }) => temperature === 1 }),
      unsupported(COMMON, ['top_p', 'top_k'], { name: 'sampling' }),
    ];
  }
  return [
    says('temperature', PARAMS, (body) => {
      const { temperature, top_p: topP, top_k: topK } = body;
      if (sampling === 'either' && temperature !== undefined && topP !== undefined) {
        return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.';
      }
      if (!isThinking(body)) return undefined;
      if (temperature !== undefined && temperature !== 1) {
        return '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking';
      }
      if (topK !== undefined)
        return '`top_k` must be unset when thinking is enabled or in adaptive mode.';
      return Number(topP ?? 1) < 0.95
        ? '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.'
        : undefined;
    }),
  ];
}

function isForced(body: Json): boolean {
  return ['any', 'tool'].includes(text(valueAt(body, 'tool_choice.type')));
}

function toolRules(model: string, { forced, structured }: Columns): Rule[] {
  return [
    says('tool_choice', `${COMMON}: supports_forced_tool_use`, (body) => {
      if (!isForced(body) || forced === 'yes') return undefined;
      if (forced === 'no') {
        return 'tool_choice: type "tool" and "any" are not supported for this model.';
      }
      return isThinking(body)
        ? 'Thinking may not be enabled when tool_choice forces tool use.'
        : undefined;
    }),
    ...(structured
      ? [toolSchemas(LITELLM, STRICT_SCHEMA, 'strict'), formatSchema(LITELLM, STRICT_SCHEMA)]
      : [
          rule('output_config.format', `litellm's map: supports_native_structured_output`, (body) =>
            isObject(valueAt(body, 'output_config.format'))
              ? {
                  kind: 'sentence',
                  path: ['output_config', 'format'],
                  message: `'${model}' does not support output format.`,
                }
              : undefined,
          ),
          rule('strict', `litellm's map: supports_native_structured_output`, ({ tools }) =>
            first(items(tools), ([at, tool]) =>
              tool['strict'] === undefined
                ? undefined
                : { kind: 'unknown', path: ['tools', at, 'custom', 'strict'] },
            ),
          ),
        ]),
  ];
}

function lastRules(model: string, { prefill, system, outputTokensMax }: Columns): Rule[] {
  return [
    says('last message', 'anthropics/claude-code#52433', ({ messages }) => {
      const last = items(messages).at(-1)?.[1];
      if (last?.['role'] !== 'assistant') return undefined;
      if (!prefill) {
        return 'This model does not support assistant message prefill. The conversation must end with a user message.';
      }
      const content = last['content'];
      const end = typeof content === 'string' ? content : text(items(content).at(-1)?.[1]['text']);
      return /\s$/.test(end)
        ? 'messages: final assistant content cannot end with trailing whitespace'
        : undefined;
    }),
    says('role', `litellm's map: supports_mid_conversation_system`, ({ messages }) => {
      const at = items(messages).find(([, { role }]) => role === 'system')?.[0];
      return at === undefined || system
        ? undefined
        : `messages.${String(at)}.role: role 'system' is not supported on this model`;
    }),
    says('max_tokens', `litellm's map: max_output_tokens`, ({ max_tokens: max }) =>
      Number(max) > outputTokensMax
        ? `max_tokens: ${String(max)} > ${String(outputTokensMax)}, which is the maximum allowed number of output tokens for ${model}`
        : undefined,
    ),
  ];
}

export const ANTHROPIC: Vendor = {
  id: 'anthropic',
  protocol: 'anthropic-messages',
  refuse: refuseAsAnthropic,
  rules: RULES,
  families: Object.fromEntries(
    Object.entries(FAMILIES).map(([model, columns]) => [
      model,
      [
        ...thinkingRules(model, columns),
        ...samplingRules(columns),
        ...toolRules(model, columns),
        ...lastRules(model, columns),
      ],
    ]),
  ),
};
