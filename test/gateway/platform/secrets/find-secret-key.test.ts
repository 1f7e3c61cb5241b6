import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from '../../../../gateway/platform/config/config.ts';
import { findSecretKey } from '../../../../gateway/platform/secrets/find-secret-key.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'weir-secret-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

it('takes the one that is configured and writes nothing', () => {
  expect(findSecretKey({ secretKey: 'configured', dataDir: '/nowhere' })).toBe('configured');
});

it('generates one that only this user can read, and finds it again', () => {
  const generated = findSecretKey({ secretKey: null, dataDir });
  expect(generated).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(findSecretKey({ secretKey: null, dataDir })).toBe(generated);
});

it('refuses a file that was cut off, and does not replace it', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'abc');
  const find = (): string => findSecretKey({ secretKey: null, dataDir });
  expect(find).toThrow(/^SECRET_KEY: .*secret\.key does not hold.*Restore/);
  // A start that fails with one of these ends with its sentence alone.
  expect(find).toThrow(ConfigError);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('abc');
});
