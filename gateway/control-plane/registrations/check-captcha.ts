import { isRecord } from '@weir/shared/prices/price-lists/json-record';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import type { CaptchaAddresses } from '../admin-deps.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import type { Settings } from '../settings/read-settings.ts';

/**
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ and
 * https://docs.hcaptcha.com/#verify-the-user-response-server-side
 */
const ADDRESSES: CaptchaAddresses = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
};

/** A person waits for the answer. */
const TIMEOUT_MS = 5_000;

/** Faults of the token, by both vendors' codes; all others are about the operator's keys. */
const TOKEN_FAULTS = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
  'expired-input-response',
  'already-seen-response',
  'invalid-or-already-seen-response',
]);

const FAILED = refuse(
  'captcha_failed',
  'The captcha was not solved, or it was solved too long ago. Solve it again.',
  { param: 'captchaToken' },
);

/**
 * Asks the vendor whether a person registers. `away` when the vendor gives no verdict, or refuses
 * the operator's keys: registering goes on then, without credit, so that a failure there neither
 * closes the door nor opens the till.
 */
export async function checkCaptcha(
  context: AdminContext,
  settings: Settings,
  { body, address }: Call<'register'>,
): Promise<'passed' | 'away' | Refusal> {
  const { captchaProvider: provider, captchaSiteKey, captchaSecretSealed } = settings;
  if (provider === 'none') return 'passed';
  if (body.captchaToken === undefined) return FAILED;
  try {
    const form = new URLSearchParams({
      secret: unseal(context.secrets, captchaSecretSealed ?? ''),
      response: body.captchaToken,
      remoteip: address,
      ...(provider === 'hcaptcha' ? { sitekey: captchaSiteKey } : {}),
    });
    const reply = await fetch((context.captchaAddresses ?? ADDRESSES)[provider], {
      method: 'POST',
      body: form,
      redirect: 'error',
      signal: context.captchaDeadline?.() ?? AbortSignal.timeout(TIMEOUT_MS),
    });
    const verdict: unknown = await reply.json();
    if (!isRecord(verdict)) throw new Error(`HTTP ${String(reply.status)}`);
    if (verdict['success'] === true) return 'passed';
    const codes = Array.isArray(verdict['error-codes'])
      ? (verdict['error-codes'] as unknown[])
      : [];
    if (codes.some((code) => TOKEN_FAULTS.has(String(code)))) return FAILED;
    throw new Error(`HTTP ${String(reply.status)}: ${codes.map(String).join(', ').slice(0, 200)}`);
  } catch (error) {
    context.logger.warn({ err: error, provider }, 'the captcha service returned no verdict');
    return 'away';
  }
}
