import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maskWeirKeys } from '../../../gateway/content-log/mask-weir-keys.ts';
import { openContent, sealContent } from '../../../gateway/content-log/seal-content.ts';
import { newRequestId } from '../../../gateway/platform/ids/request-id.ts';
import { generateKey } from '../../../gateway/platform/secrets/api-key.ts';
import { deriveSecrets } from '../../../gateway/platform/secrets/secrets.ts';

const KEY = 'a secret key of an installation, long enough';
const SECRETS = deriveSecrets(KEY);
const OWNER = { requestId: newRequestId(Date.now()), accountId: randomUUID() };
const CONTENT = { request: Buffer.from('{"prompt":"Grüße"}'), reply: Buffer.from([0, 255, 1]) };

describe('sealed content', () => {
  it('comes back byte for byte, and has no word of it in clear', async () => {
    const content = { request: Buffer.from('whisper '.repeat(1_000)), reply: CONTENT.reply };
    const sealed = await sealContent(SECRETS, OWNER, content);
    expect(sealed.sealed.includes('whisper')).toBe(false);
    expect(sealed.sealed.length).toBeLessThan(500);
    expect(await openContent(SECRETS, OWNER, sealed)).toEqual(content);
  });

  it('cannot be opened as that of another request or account', async () => {
    const sealed = await sealContent(SECRETS, OWNER, CONTENT);
    const others = [
      { ...OWNER, requestId: newRequestId(Date.now()) },
      { ...OWNER, accountId: randomUUID() },
    ];
    for (const other of others) await expect(openContent(SECRETS, other, sealed)).rejects.toThrow();
  });

  it('cannot be opened when one byte of it was changed', async () => {
    const sealed = await sealContent(SECRETS, OWNER, CONTENT);
    for (const at of [0, 12, 28, sealed.sealed.length - 1]) {
      const altered = Buffer.from(sealed.sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      await expect(openContent(SECRETS, OWNER, { ...sealed, sealed: altered })).rejects.toThrow();
    }
  });

  it('can be opened after a change of SECRET_KEY while the former one is set, and not later', async () => {
    const sealed = await sealContent(SECRETS, OWNER, CONTENT);
    const next = `${KEY}, the next`;
    expect(await openContent(deriveSecrets(next, KEY), OWNER, sealed)).toEqual(CONTENT);
    expect(await openContent(deriveSecrets(next), OWNER, sealed)).toBeUndefined();
  });
});

describe('keys of Weir in a body', () => {
  const { key } = generateKey(SECRETS);
  const mask = (text: string): string => Buffer.from(maskWeirKeys(Buffer.from(text))).toString();

  it.each([
    ['alone', '', ''],
    ['in a sentence', 'my key is ', ', keep it'],
    ['in JSON', '{"text":"', '"}'],
    ['behind an escaped line break', String.raw`{"text":"line\n`, String.raw`\nline"}`],
    ['behind letters of another alphabet', '密钥', '。'],
  ])('are shortened: %s', (_place, before, after) => {
    expect(mask(before + key + after)).toBe(`${before}${key.slice(0, 9)}...${after}`);
  });

  it('leave everything else as it is, in the same buffer', () => {
    const body = Buffer.from('sk-short, task-forces-of-1984-and-others, AKIAIOSFODNN7EXAMPLE');
    expect(maskWeirKeys(body)).toBe(body);
    const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(maskWeirKeys(binary)).toBe(binary);
  });
});
