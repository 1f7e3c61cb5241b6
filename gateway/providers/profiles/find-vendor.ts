import type { ProviderKind } from '../provider.ts';
import type { Vendor } from './rule-set.ts';
import { ANTHROPIC } from './vendors/anthropic.ts';
import { AZURE } from './vendors/azure.ts';
import { BEDROCK } from './vendors/bedrock.ts';
import { BEDROCK_MANTLE } from './vendors/bedrock-mantle.ts';
import { CEREBRAS } from './vendors/cerebras.ts';
import { COHERE } from './vendors/cohere.ts';
import { DASHSCOPE } from './vendors/dashscope.ts';
import { DEEPSEEK } from './vendors/deepseek.ts';
import { FIREWORKS } from './vendors/fireworks.ts';
import { GEMINI } from './vendors/gemini.ts';
import { GROQ } from './vendors/groq.ts';
import { LLAMA_CPP } from './vendors/llama-cpp.ts';
import { META } from './vendors/meta.ts';
import { MINIMAX } from './vendors/minimax.ts';
import { MISTRAL } from './vendors/mistral.ts';
import { MOONSHOT } from './vendors/moonshot.ts';
import { NVIDIA } from './vendors/nvidia.ts';
import { OLLAMA } from './vendors/ollama.ts';
import { OPENAI } from './vendors/openai.ts';
import { OPENROUTER } from './vendors/openrouter.ts';
import { PERPLEXITY } from './vendors/perplexity.ts';
import { SGLANG } from './vendors/sglang.ts';
import { TOGETHER } from './vendors/together.ts';
import { VERTEX } from './vendors/vertex.ts';
import { VLLM } from './vendors/vllm.ts';
import { XAI } from './vendors/xai.ts';
import { XIAOMI } from './vendors/xiaomi.ts';
import { ZAI } from './vendors/zai.ts';

/** In the order in which the console lists them. */
export const VENDORS: readonly Vendor[] = [
  OPENAI,
  AZURE,
  ANTHROPIC,
  BEDROCK,
  BEDROCK_MANTLE,
  GEMINI,
  VERTEX,
  MISTRAL,
  XAI,
  META,
  DEEPSEEK,
  MOONSHOT,
  DASHSCOPE,
  ZAI,
  MINIMAX,
  XIAOMI,
  PERPLEXITY,
  COHERE,
  GROQ,
  CEREBRAS,
  TOGETHER,
  FIREWORKS,
  NVIDIA,
  OPENROUTER,
  OLLAMA,
  VLLM,
  SGLANG,
  LLAMA_CPP,
];

const HOST_PATTERNS: readonly (readonly [RegExp, Vendor])[] = VENDORS.flatMap((vendor) =>
  vendor.hosts.map((host) => [patternOf(host), vendor] as const),
);

function patternOf(host: string): RegExp {
  const escaped = host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9.-]+');
  return new RegExp(`^${escaped}$`);
}

/** Finds the vendor of a channel; undefined for an address that is not known. */
export function findVendor(kind: ProviderKind, baseUrl: string): Vendor | undefined {
  const host = hostOf(baseUrl);
  return (
    HOST_PATTERNS.find(([pattern]) => pattern.test(host))?.[1] ??
    VENDORS.find(({ kinds }) => kinds?.includes(kind) ?? false)
  );
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
}
