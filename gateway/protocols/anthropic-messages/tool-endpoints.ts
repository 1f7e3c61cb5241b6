import type { ToolEndpoint } from '../endpoint.ts';

const TELEMETRY = { method: 'POST', operation: 'tool', serves: 'telemetry' } as const;

/** The paths that Claude Code asks of a gateway that it is logged in to. */
export const TOOL_ENDPOINTS: readonly ToolEndpoint[] = [
  {
    method: 'GET',
    path: 'managed/settings',
    operation: 'tool',
    serves: 'settings',
    basePath: '',
  },
  { method: 'GET', path: 'api/oauth/usage', operation: 'tool', serves: 'spend', basePath: '' },
  // OpenTelemetry's paths.
  { ...TELEMETRY, path: 'metrics' },
  { ...TELEMETRY, path: 'logs' },
  { ...TELEMETRY, path: 'traces' },
];
