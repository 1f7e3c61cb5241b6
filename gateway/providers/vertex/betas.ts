/**
 * Values of `anthropic-beta` that Claude on Vertex takes; it answers others with a 400 that names
 * them. Checked on 2026-11-28 in the list that LiteLLM keeps (BerriAI/litellm,
 * anthropic_beta_headers_config.json, 030dd40), and in what Claude Code 2.1.331 sends in Vertex
 * mode; refusals: anthropics/claude-code#12429, #21625, #34802, BerriAI/litellm#17755.
 */
const TAKEN: readonly string[] = [
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'thinking-token-count-2026-05-13',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
];

/** What has another name there. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
];

export const VERTEX_BETAS: ReadonlyMap<string, string> = new Map([
  ...TAKEN.map((name) => [name, name] as const),
  ...RENAMED,
]);

/** Each of them lets a request have `context_management`. */
export const CONTEXT_BETAS: readonly string[] = [
  'context-management-2025-06-27',
  'compact-2026-01-12',
  'compact-2026-09-04',
];

/** The counter refuses some of them. */
export const VERTEX_COUNT_BETAS: ReadonlyMap<string, string> = new Map(
  [...VERTEX_BETAS].filter(([name]) => name !== 'web-search-2025-03-05'),
);
