import type { ToolEndpoint } from '../endpoint.ts';

/** The paths that Claude Code asks of a gateway that it is logged in to. */
export const TOOL_ENDPOINTS: readonly ToolEndpoint[] = [
  { method: 'GET', path: 'managed/settings', operation: 'tool', serves: 'settings' },
  { method: 'GET', path: 'api/oauth/usage', operation: 'tool', serves: 'spend' },
  // OpenTelemetry's paths.
  { method: 'POST', path: 'metrics', operation: 'tool', serves: 'telemetry' },
  { method: 'POST', path: 'logs', operation: 'tool', serves: 'telemetry' },
  { method: 'POST', path: 'traces', operation: 'tool', serves: 'telemetry' },
];
