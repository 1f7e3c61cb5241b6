import { ANTHROPIC } from './vendors/anthropic.ts';
import { BEDROCK } from './vendors/bedrock.ts';
import { CEREBRAS } from './vendors/cerebras.ts';
import { FIREWORKS, NVIDIA, PLAIN_CHAT } from './vendors/closed-vendors.ts';
import { GEMINI } from './vendors/gemini.ts';
import { GROQ } from './vendors/groq.ts';
import { META, XIAOMI } from './vendors/meta-and-xiaomi.ts';
import { MISTRAL } from './vendors/mistral.ts';
import { DASHSCOPE, DEEPSEEK, MINIMAX, MOONSHOT, OPENROUTER, XAI } from './vendors/open-vendors.ts';
import { OPENAI_RESPONSES } from './vendors/openai-responses.ts';
import { AZURE, OPENAI } from './vendors/openai.ts';
import type { Vendor } from './rule.ts';

export const VENDORS: readonly Vendor[] = [
  OPENAI,
  OPENAI_RESPONSES,
  AZURE,
  ANTHROPIC,
  BEDROCK,
  GEMINI,
  GROQ,
  CEREBRAS,
  NVIDIA,
  MISTRAL,
  XAI,
  DEEPSEEK,
  MOONSHOT,
  DASHSCOPE,
  MINIMAX,
  META,
  XIAOMI,
  FIREWORKS,
  OPENROUTER,
  PLAIN_CHAT,
];
