import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const TURNSTILE_SECRET = '0x4AAAAAAAAsecretOfTheOperator';
export const HCAPTCHA_SECRET = 'ES_0123456789abcdefSecretOfTheOperator';
export const SITE_KEY = '10000000-ffff-ffff-ffff-000000000001';

export interface FakeCaptcha {
  readonly addresses: { readonly turnstile: string; readonly hcaptcha: string };
  /** A token as the widget gives it to a person. */
  issue(): string;
  /** The requests, newest last. */
  readonly asked: URLSearchParams[];
  /** From now on it replies with this status and no verdict, or never where it is `silent`. */
  fail(how: number | 'silent' | undefined): void;
  close(): Promise<void>;
}

/**
 * Both vendors' addresses to verify tokens, as strict as they are: a form by POST, known fields,
 * the right secret, and each token once. The codes are theirs.
 */
export async function startFakeCaptcha(): Promise<FakeCaptcha> {
  const tokens = new Set<string>();
  const used = new Set<string>();
  const asked: URLSearchParams[] = [];
  let failing: number | 'silent' | undefined;
  const verdict = (path: string, form: URLSearchParams): string | undefined => {
    const isHcaptcha = path === '/hcaptcha';
    const secret = isHcaptcha ? HCAPTCHA_SECRET : TURNSTILE_SECRET;
    const response = form.get('response') ?? '';
    if (form.get('secret') === null) return 'missing-input-secret';
    if (form.get('secret') !== secret) return 'invalid-input-secret';
    if (response === '') return 'missing-input-response';
    if (isHcaptcha && form.has('sitekey') && form.get('sitekey') !== SITE_KEY) {
      return 'sitekey-secret-mismatch';
    }
    if (used.has(response)) {
      return isHcaptcha ? 'already-seen-response' : 'timeout-or-duplicate';
    }
    if (!tokens.has(response)) return 'invalid-input-response';
    used.add(response);
    return undefined;
  };
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      if (failing === 'silent') return;
      const isForm = request.headers['content-type']?.startsWith(
        'application/x-www-form-urlencoded',
      );
      if (failing !== undefined || request.method !== 'POST' || isForm !== true) {
        reply.writeHead(failing ?? 405).end('<html>no</html>');
        return;
      }
      const form = new URLSearchParams(body);
      asked.push(form);
      const code = verdict(request.url ?? '', form);
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.end(
        JSON.stringify({
          success: code === undefined,
          'error-codes': code === undefined ? [] : [code],
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  return {
    addresses: { turnstile: `${root}/turnstile`, hcaptcha: `${root}/hcaptcha` },
    issue() {
      const token = `token-${String((count += 1))}`;
      tokens.add(token);
      return token;
    },
    asked,
    fail: (how) => (failing = how),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
