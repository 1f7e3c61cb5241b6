/** Which JSON schemas targets take. */
import type { SchemaRules } from '../../protocols/target-profile.ts';

const ANY: SchemaRules = {
  keywords: null,
  otherKeywords: 'describe',
  formats: null,
  closedObjects: false,
  allRequired: false,
  refs: 'accepted',
  oneOf: 'accepted',
  typeLists: 'accepted',
  constant: 'accepted',
  rootAlternatives: true,
  enumValues: 'any',
};

export const OPENAI_TOOLS = ANY;
export const OPENAI_STRICT = ANY;
export const ANTHROPIC_TOOLS = ANY;
export const ANTHROPIC_STRICT = ANY;
export const GEMINI_JSON_SCHEMA = ANY;
export const GEMINI_PROTO = ANY;
export const XAI = ANY;
export const GROQ_STRICT = ANY;
export const CEREBRAS = ANY;
export const MOONSHOT = ANY;
export const INLINE_REFS = ANY;
export const LLAMA_CPP = ANY;
export const VLLM = ANY;
export const CONSERVATIVE = ANY;
