/**
 * Which requests fail today, by vendor and by the rule of the strict upstream that refuses them,
 * with their number. A number that changes fails the test in either direction: what is mended has
 * to be taken out, and nothing may be added.
 */
import type { Failures } from './tally.ts';

/** Requests of every case and client, as the codecs write them. */
export const KNOWN: Failures = {
  'openai-responses': { 'reasoning.summary': 12 },
  anthropic: { 'tool schema': 112 },
  // Those of Anthropic that Bedrock hands on.
  bedrock: { 'tool schema': 48 },
  gemini: { contents: 12, 'image type': 9, thinkingBudget: 1, thought_signature: 3 },
  groq: { 'unknown field': 3 },
  cerebras: { 'unknown field': 2 },
  nvidia: { 'unknown field': 2 },
  deepseek: { reasoning_effort: 2 },
  moonshot: { reasoning_effort: 3, 'response_format.type': 12 },
  plain: { 'unknown field': 71 },
};

/** What agents and SDKs have sent. */
export const KNOWN_RECORDED: Failures = {
  openai: { 'tool name': 30 },
  'openai-responses': { 'reasoning.summary': 12 },
  azure: { 'tool name': 9 },
  anthropic: { max_tokens: 10 },
  gemini: { thinkingConfig: 1 },
  nvidia: { max_tokens: 6 },
  deepseek: { image: 4 },
  moonshot: { 'response_format.type': 2 },
  plain: { 'unknown field': 11, 'response_format.type': 2, 'message field': 2 },
};
