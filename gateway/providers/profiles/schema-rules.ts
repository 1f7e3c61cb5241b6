/**
 * What JSON schemas vendors take. Each constant names where its rules were read; all sources were
 * read on 2026-11-28. Where a vendor's documents say nothing, public reports of refusals do
 * (`owner/repository#number`).
 */
import type { NameRule, SchemaRules } from '../../protocols/target-profile.ts';

/** Accepts any schema whose root is an object. */
const ANY: SchemaRules = {
  keywords: null,
  otherKeywords: 'describe',
  formats: null,
  closedObjects: false,
  allRequired: false,
  refs: 'accepted',
  refSiblings: 'accepted',
  oneOf: 'accepted',
  typeLists: 'accepted',
  typesRequired: false,
  besideAnyOf: 'accepted',
  constant: 'accepted',
  rootAlternatives: false,
  enumValues: 'any',
  undeclaredRequired: true,
  lookaround: true,
  minItemsMax: Infinity,
};

/** Keywords that all targets accept. */
const COMMON = [
  '$defs',
  '$ref',
  'additionalProperties',
  'anyOf',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'type',
];

const NUMBER_BOUNDS = ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'];

const FORMATS = [
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uuid',
];

/**
 * OpenAI, functions without `strict`: any keywords below a root that is an object. Refused are a
 * root with alternatives (langchain-ai/langchainjs#9804), arrays without `items`
 * (apify/apify-mcp-server#36) and references to other places than definitions at the top.
 */
export const OPENAI_TOOLS: SchemaRules = ANY;

/**
 * OpenAI, strict functions and formats: "Supported schemas" of the guide to structured outputs, as
 * pydantic-ai-slim 2.68.0 `profiles/openai.py` and openai 7.55.0 `lib/transform.js` apply it.
 */
export const OPENAI_STRICT: SchemaRules = {
  ...ANY,
  keywords: new Set([
    ...COMMON,
    ...NUMBER_BOUNDS,
    '$id',
    '$schema',
    'const',
    'definitions',
    'format',
    'maxItems',
    'maxLength',
    'minItems',
    'minLength',
    'pattern',
    'title',
  ]),
  formats: new Set(FORMATS),
  closedObjects: true,
  allRequired: true,
  refSiblings: 'as_any_of',
  oneOf: 'as_any_of',
  undeclaredRequired: false,
  lookaround: false,
};

/** "Property keys should match pattern", also in tools that are not strict (OmniRoute#13552). */
const ANTHROPIC_PROPERTY_NAME: NameRule = { letters: 'A-Za-z0-9_.-', charactersMax: 64 };

/**
 * Anthropic, tools that are not strict: any schema of draft 2020-12 (Dokploy/mcp#74) without
 * alternatives at its root (anthropics/claude-code#40075).
 */
export const ANTHROPIC_TOOLS: SchemaRules = { ...ANY, propertyName: ANTHROPIC_PROPERTY_NAME };

/**
 * Anthropic, strict tools and `output_config.format`: @anthropic-ai/sdk 1.14.0
 * `lib/transform-json-schema.js`, anthropic (Python) 2.14.0 `lib/_parse/_transform.py`.
 */
export const ANTHROPIC_STRICT: SchemaRules = {
  ...ANY,
  keywords: new Set([...COMMON, 'allOf', 'const', 'format', 'minItems', 'title']),
  formats: new Set([...FORMATS, 'uri']),
  closedObjects: true,
  refSiblings: 'as_any_of',
  oneOf: 'as_any_of',
  minItemsMax: 1,
  propertyName: ANTHROPIC_PROPERTY_NAME,
};

/**
 * Gemini, `parametersJsonSchema` and `responseJsonSchema`: @google/genai 3.3.0 `genai.d.ts`
 * (`responseJsonSchema`) names the keywords and says that nothing may be next to `$ref`;
 * pydantic-ai-slim 2.68.0 `profiles/google.py` on `const` and exclusive bounds. A name in
 * `required` that is no property is refused (iBUHub/AIStudioToAPI#154).
 */
export const GEMINI_JSON_SCHEMA: SchemaRules = {
  ...ANY,
  keywords: new Set([
    ...COMMON,
    '$anchor',
    '$id',
    'format',
    'maxItems',
    'maxLength',
    'maximum',
    'minItems',
    'minLength',
    'minimum',
    'oneOf',
    'pattern',
    'prefixItems',
    'propertyOrdering',
    'title',
    'uniqueItems',
  ]),
  refSiblings: 'inlined',
  constant: 'as_enum',
  enumValues: 'strings_or_numbers',
  undeclaredRequired: false,
};

/**
 * Gemini, `parameters` and `responseSchema`: the members of `Schema` in @google/genai 3.3.0
 * `genai.d.ts`. Formats: hideya/langchain-mcp-tools-ts#36; one type: zed-industries/zed#44875.
 */
export const GEMINI_PROTO: SchemaRules = {
  ...ANY,
  keywords: new Set([
    'anyOf',
    'default',
    'description',
    'enum',
    'example',
    'format',
    'items',
    'maxItems',
    'maxLength',
    'maxProperties',
    'maximum',
    'minItems',
    'minLength',
    'minProperties',
    'minimum',
    'nullable',
    'pattern',
    'properties',
    'propertyOrdering',
    'required',
    'title',
    'type',
  ]),
  formats: new Set(['date-time', 'double', 'enum', 'float', 'int32', 'int64']),
  refs: 'inline',
  oneOf: 'as_any_of',
  typeLists: 'nullable',
  typesRequired: true,
  besideAnyOf: 'into_branches',
  constant: 'as_enum',
  enumValues: 'strings',
  undeclaredRequired: false,
};

/**
 * xAI: docs.x.ai, structured outputs. Schemas of tools are always compiled; `oneOf` is read as
 * `anyOf`, `allOf` of several and circular references are refused.
 */
export const XAI: SchemaRules = {
  ...ANY,
  refused: new Set(['allOf', 'dependentSchemas', 'else', 'if', 'not', 'patternProperties', 'then']),
  refs: 'inline',
};

/**
 * Groq, strict formats: console.groq.com/docs/structured-outputs (as OpenAI's);
 * i-am-bee/beeai-framework#1215 on `minItems` and its like.
 */
export const GROQ_STRICT: SchemaRules = {
  ...OPENAI_STRICT,
  keywords: new Set([...COMMON, 'const', 'title']),
};

/**
 * Cerebras, tools and formats: every object closed (agno-agi/agno#6013, theopenco/llmgateway#1455),
 * no bounds of arrays (musistudio/claude-code-router#338) and no patterns or formats.
 */
export const CEREBRAS: SchemaRules = {
  ...ANY,
  keywords: new Set([...COMMON, ...NUMBER_BOUNDS, 'const', 'title']),
  closedObjects: true,
  refSiblings: 'as_any_of',
  oneOf: 'as_any_of',
  undeclaredRequired: false,
};

/**
 * Moonshot: MFJS, MoonshotAI/walle `docs/mfjs-spec.md`. Types belong into the branches of `anyOf`
 * (abhigyanpatwari/GitNexus#2703), nothing may be next to `$ref` (MoonshotAI/kimi-cli#2061), every
 * schema is an object with a type (can1357/oh-my-pi#5952, earendil-works/pi#4138), `required`
 * names properties (MoonshotAI/kimi-code#1610), and references name definitions alone
 * (CommandCodeAI/command-code#594).
 */
export const MOONSHOT: SchemaRules = {
  ...ANY,
  keywords: new Set([
    ...COMMON,
    'default',
    'maxItems',
    'maxLength',
    'maximum',
    'minItems',
    'minLength',
    'minimum',
    'pattern',
  ]),
  refSiblings: 'inlined',
  rootRefs: 'as_definition',
  oneOf: 'as_any_of',
  typeLists: 'as_any_of',
  typesRequired: true,
  besideAnyOf: 'into_branches',
  constant: 'as_enum',
  enumValues: 'strings_or_numbers',
  undeclaredRequired: false,
  // anomalyco/opencode#25495
  depthMax: 10,
};

/**
 * GLM-5.3, Llama, gpt-oss, Qwen and Nova do not see definitions, on any host: pydantic-ai-slim
 * 2.68.0 `profiles/{zai,meta,openai,qwen,amazon}.py`.
 */
export const INLINE_REFS: SchemaRules = { ...ANY, refs: 'inline' };

/**
 * Meta, tools and formats: ten levels (anomalyco/opencode#50297), and no schema that refers to
 * itself (duolahypercho/codex-router#792).
 */
export const META: SchemaRules = { ...INLINE_REFS, depthMax: 10 };

/**
 * llama.cpp makes a grammar of every schema. Patterns with classes such as `\d` and branches that
 * only name required properties fail (ggml-org/llama.cpp#19051).
 */
export const LLAMA_CPP: SchemaRules = {
  ...ANY,
  refused: new Set([
    'dependentRequired',
    'dependentSchemas',
    'else',
    'if',
    'not',
    'pattern',
    'patternProperties',
    'propertyNames',
    'then',
  ]),
  undeclaredRequired: false,
};

/** vLLM: its grammars refuse some keywords (vllm-project/vllm#30390). */
export const VLLM: SchemaRules = {
  ...ANY,
  refused: new Set(['patternProperties', 'propertyNames']),
};

/** For targets of which nothing is known: what all of the above accept. */
export const CONSERVATIVE: SchemaRules = {
  ...ANY,
  keywords: new Set([
    ...COMMON,
    'default',
    'format',
    'maxItems',
    'maxLength',
    'maximum',
    'minItems',
    'minLength',
    'minimum',
    'title',
  ]),
  refs: 'inline',
  oneOf: 'as_any_of',
  constant: 'as_enum',
  undeclaredRequired: false,
};
