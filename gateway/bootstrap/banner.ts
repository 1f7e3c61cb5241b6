import type { FirstStart } from './first-start.ts';

export interface BannerFacts {
  /** Base addresses without a trailing slash; null for a part that this process does not run. */
  readonly gatewayUrl: string | null;
  readonly consoleUrl: string | null;
  readonly dataDir: string | null;
  /** What was made just now; null at later starts. */
  readonly firstStart: FirstStart | null;
  /** A key that works, when it may be shown. */
  readonly apiKey: string | null;
  /** A model that the key may use. */
  readonly model: string | null;
  /** Models are answered by the demo upstream, not by a real one. */
  readonly demo: boolean;
}

/**
 * What a person needs after a start, as text for the terminal. It may hold the first key and password, so it goes to
 * stdout alone, never to the log.
 */
export function banner(facts: BannerFacts): string {
  const { gatewayUrl, consoleUrl, dataDir } = facts;
  const lines = ['', 'Weir is ready.', ''];
  const add = (label: string, text: string): void => {
    lines.push(`  ${label.padEnd(LABEL_WIDTH)}${text}`);
  };
  if (gatewayUrl !== null) add('Gateway', `${gatewayUrl}/v1`);
  if (consoleUrl !== null) add('Console', consoleUrl);
  if (consoleUrl !== null) add('Admin API', `${consoleUrl}/api/docs`);
  if (dataDir !== null) add('Data', dataDir);
  addSecrets(facts, add);
  if (facts.demo) add('Upstream', 'a demo that invents its replies; add a channel in the console');
  if (gatewayUrl !== null) lines.push(...tryLines(gatewayUrl, facts));
  lines.push('');
  return lines.join('\n');
}

const LABEL_WIDTH = 14;

function addSecrets(
  { firstStart, apiKey }: BannerFacts,
  add: (label: string, text: string) => void,
): void {
  if (firstStart !== null) {
    add('Log in as', firstStart.adminEmail);
    add('Password', firstStart.generatedPassword ?? 'the one in BOOTSTRAP_ADMIN_PASSWORD');
  }
  if (apiKey !== null) add('API key', apiKey);
  if (firstStart !== null) {
    const what = firstStart.generatedPassword === null ? 'The key is' : 'Key and password are';
    add('', `${what} shown now and not again; keep what you need.`);
  }
}

function tryLines(gatewayUrl: string, { apiKey, model }: BannerFacts): string[] {
  if (model === null) return [];
  const key = apiKey ?? '$WEIR_KEY';
  const lines = ['', '  Try it:', ''];
  if (apiKey === null) lines.push('  export WEIR_KEY=…   # a key from the console', '');
  lines.push(...curl(gatewayUrl, key, { model, stream: false }), '', '  As a stream:', '');
  return [...lines, ...curl(gatewayUrl, key, { model, stream: true })];
}

function curl(
  gatewayUrl: string,
  key: string,
  request: { readonly model: string; readonly stream: boolean },
): string[] {
  const body = {
    model: request.model,
    ...(request.stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Hello' }],
  };
  return [
    `  curl ${request.stream ? '-N ' : ''}${gatewayUrl}/v1/chat/completions \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(body)}'`,
  ];
}
