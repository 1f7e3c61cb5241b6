import { expect, it } from 'vitest';
import { explainConnectError } from '../../../gateway/boot/stores/explain-connect-error.ts';
import { ConfigError } from '../../../gateway/platform/config/config.ts';

const selfSigned = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
  );

it('says what to do about a certificate that is not trusted', async () => {
  const postgres = explainConnectError('DATABASE_URL', 'PostgreSQL', selfSigned);
  await expect(postgres).rejects.toThrow(/NODE_EXTRA_CA_CERTS.*sslrootcert.*sslmode=no-verify/);
  const redis = explainConnectError('REDIS_URL', 'Redis', selfSigned);
  await expect(redis).rejects.toThrow(/signed its certificate\. Set NODE_EXTRA_CA_CERTS/);
});

it('says of any other failure which variable holds the address, and changes no known sentence', async () => {
  const away = explainConnectError('REDIS_URL', 'Redis', () => Promise.reject(new Error('no')));
  await expect(away).rejects.toThrow('Check that it runs and that REDIS_URL is its address.');
  const known = new ConfigError('known');
  const same = explainConnectError('REDIS_URL', 'Redis', () => Promise.reject(known));
  await expect(same).rejects.toBe(known);
});
