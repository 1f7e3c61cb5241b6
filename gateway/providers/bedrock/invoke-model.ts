/**
 * What InvokeModel takes of Messages. Lists are data: a beta or a field that AWS adds is one line.
 */
import type { Envelope } from '../../protocols/envelope.ts';
import { TIER_HEADER } from '../tier-header.ts';

const BODY_VERSION = 'bedrock-2023-05-31';

/**
 * The betas that Bedrock takes; any other is a 400 "invalid beta flag". Sources, read on
 * 2026-11-28: envoyproxy/ai-gateway internal/translator/anthropic_awsanthropic.go,
 * QuantumNous/new-api relay/channel/aws/dto.go, BerriAI/litellm anthropic_beta_headers_config.json,
 * Claude Code 2.1.331 in its Bedrock mode; on 2026-11-29 AWS's pages on compaction and preserved
 * thinking, and Anthropic's on effort per message.
 */
const BETAS = [
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'output-128k-2025-02-19',
  'thinking-binding-controls-2026-08-01',
  'thinking-token-count-2026-05-13',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
] as const;

/** Betas that have another name there. */
const RENAMED_BETAS = [['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19']] as const;

/**
 * Members of Messages that are a 400 "Extra inputs are not permitted" there. A channel's
 * `omittedFields` adds to them.
 */
const REFUSED_MEMBERS = [
  'betas',
  'cache_control',
  'chat_template_kwargs',
  'container',
  'diagnostics',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'min_p',
  'output_format',
  'reasoning_effort',
  'repetition_penalty',
  'safeguards',
  'seed',
  'service_tier',
  'speed',
  'tags',
  'thread',
] as const;

export const INVOKE_MODEL: Envelope = {
  version: BODY_VERSION,
  membersInPath: ['model', 'stream'],
  refusedMembers: REFUSED_MEMBERS,
  betas: new Map([...BETAS.map((name) => [name, name] as const), ...RENAMED_BETAS]),
  membersOfBetas: new Map([
    ['context_management', ['context-management-2025-06-27', 'compact-2026-01-12']],
  ]),
  // @aws-sdk/client-bedrock-runtime 3.1163.0, InvokeModelRequest: the reply names the tier alike.
  tierHeader: {
    name: TIER_HEADER,
    tiers: new Set(['flex', 'priority', 'reserved']),
  },
  // A 400 of Claude 4.5: github.com/anthropics/claude-code/issues/32820,
  // github.com/BerriAI/litellm/issues/23825. The beta means the same for all tools of a request.
  toolFlags: new Map([['eager_input_streaming', 'fine-grained-tool-streaming-2025-05-14']]),
};
