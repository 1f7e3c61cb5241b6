import type { FirstStart } from '../seed/first-start.ts';

export interface Announcement {
  readonly gatewayUrl: string | null;
  readonly consoleUrl: string | null;
  /** A key that works, when one may be shown. */
  readonly apiKey: string | null;
  /** A model that the key may use. */
  readonly model: string | null;
  readonly firstStart: FirstStart | null;
  readonly embedded: boolean;
}

const LABEL_WIDTH = 16;

/**
 * Returns the text for a person at the terminal. It is printed, never logged: it may contain a key
 * and a password.
 */
export function announcement(about: Announcement): string {
  const lines = ['', '  Weir is ready.', ''];
  const add = (label: string, text: string): void => {
    lines.push(`  ${label.padEnd(LABEL_WIDTH)}${text}`);
  };
  const { gatewayUrl, consoleUrl } = about;
  if (gatewayUrl !== null) add('Gateway', `${gatewayUrl}   (base URL of SDKs: ${gatewayUrl}/v1)`);
  if (consoleUrl !== null) {
    add('Console', consoleUrl);
    add('Admin API', `${consoleUrl}/api/v1   (reference: ${consoleUrl}/api/reference)`);
  }
  addSecrets(about, add);
  if (about.embedded) {
    lines.push('');
    lines.push('  Embedded database. For production set DATABASE_URL, REDIS_URL and SECRET_KEY.');
  }
  if (gatewayUrl !== null && about.apiKey !== null && about.model !== null) {
    const request = { url: gatewayUrl, key: about.apiKey, model: about.model };
    lines.push('', '  Try it:', '', curl(request, false));
    lines.push('', '  The same as a stream:', '', curl(request, true));
  }
  return `${lines.join('\n')}\n\n`;
}

function addSecrets(
  { firstStart, apiKey, embedded }: Announcement,
  add: (label: string, text: string) => void,
): void {
  if (firstStart !== null) {
    const password = firstStart.generatedPassword ?? 'as given in BOOTSTRAP_ADMIN_PASSWORD';
    add('Administrator', `${firstStart.adminEmail}   password: ${password}`);
    if (firstStart.generatedPassword !== null) add('', '(shown this once; keep it)');
  }
  if (apiKey !== null) {
    add('API key', apiKey);
    // The embedded database's first key is kept for the next start; see bootstrap/demo-key.ts.
    if (firstStart !== null && !embedded) add('', '(shown this once; keep it)');
  }
}

function curl(
  request: { readonly url: string; readonly key: string; readonly model: string },
  stream: boolean,
): string {
  const body = JSON.stringify({
    model: request.model,
    ...(stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Hello' }],
  });
  return `  curl ${stream ? '-N ' : ''}${request.url}/v1/chat/completions -H "Authorization: Bearer ${request.key}" -H "Content-Type: application/json" -d '${body}'`;
}
