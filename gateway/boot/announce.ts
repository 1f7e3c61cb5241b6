import type { FirstStart } from '../bootstrap/first-start.ts';

export interface Announcement {
  readonly gatewayUrl: string | null;
  readonly consoleUrl: string | null;
  /** A key that works, when one may be shown. */
  readonly apiKey: string | null;
  readonly model: string | null;
  readonly firstStart: FirstStart | null;
  readonly embedded: boolean;
}

/** What a person at the terminal wants to know now. Printed, never logged: it may hold a key and a password. */
export function announcement(about: Announcement): string {
  const { gatewayUrl, consoleUrl, firstStart } = about;
  const lines = ['', '  Weir is ready.', ''];
  if (gatewayUrl !== null)
    lines.push(`  Gateway         ${gatewayUrl}   (base URL of SDKs: ${gatewayUrl}/v1)`);
  if (consoleUrl !== null) {
    lines.push(
      `  Console         ${consoleUrl}`,
      `  Admin API       ${consoleUrl}/api/v1   (reference: ${consoleUrl}/api/docs)`,
    );
  }
  if (firstStart !== null) {
    const password = firstStart.generatedPassword ?? 'as given in BOOTSTRAP_ADMIN_PASSWORD';
    lines.push(`  Administrator   ${firstStart.adminEmail}   password: ${password}`);
    if (firstStart.generatedPassword !== null)
      lines.push('                  (shown this once; keep it)');
  }
  if (about.apiKey !== null) lines.push(`  API key         ${about.apiKey}`);
  if (about.embedded) {
    lines.push(
      '',
      '  Embedded database. For production set DATABASE_URL, REDIS_URL and SECRET_KEY.',
    );
  }
  if (gatewayUrl !== null && about.apiKey !== null && about.model !== null) {
    lines.push('', '  Try it:', '', curl(gatewayUrl, about.apiKey, about.model, false));
    lines.push(
      '',
      '  The same as a stream:',
      '',
      curl(gatewayUrl, about.apiKey, about.model, true),
    );
  }
  return `${lines.join('\n')}\n\n`;
}

function curl(gatewayUrl: string, key: string, model: string, stream: boolean): string {
  const body = JSON.stringify({
    model,
    ...(stream ? { stream: true } : {}),
    messages: [{ role: 'user', content: 'Hello' }],
  });
  return `  curl ${stream ? '-N ' : ''}${gatewayUrl}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`;
}
