import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { awsMinting } from '../../../../gateway/providers/aws-credentials/minting.ts';

const BASE = 'https://bedrock-runtime.us-east-1.amazonaws.com';
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2030, 0, 1);
const EXPIRATION = new Date(NOW_MS + HOUR_MS).toISOString();
const KEYS = { AccessKeyId: 'ASIAX', SecretAccessKey: 'secret/1', Expiration: EXPIRATION };

async function serve(
  answer: (request: IncomingMessage) => readonly [number, string],
): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Nothing but this says who the machine is. */
function setEnvironment(values: Readonly<Record<string, string>>): void {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  }
  const none = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  for (const [name, value] of Object.entries({ ...none, ...values })) vi.stubEnv(name, value);
}

function mint(credential = 'role') {
  const found = awsMinting.mintOf(credential, BASE);
  if (typeof found !== 'function') throw new Error('it is not exchanged');
  return found({ nowMs: NOW_MS, ask: () => Promise.reject(new Error('AWS asks by itself')) });
}

describe('the identity of the machine at AWS', () => {
  it('comes from its container', async () => {
    const url = await serve(() => [200, JSON.stringify({ ...KEYS, Token: 'token==' })]);
    setEnvironment({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/keys` });
    expect(await mint()).toEqual({ secret: 'ASIAX:secret/1:token==', lifetimeMs: HOUR_MS });
  });

  it('comes from its instance', async () => {
    const url = await serve(({ method, url: path = '', headers }) => {
      if (method === 'PUT' && path === '/latest/api/token') return [200, 'session'];
      if (headers['x-aws-ec2-metadata-token'] !== 'session') return [401, ''];
      if (path.endsWith('/security-credentials/')) return [200, 'weir-role'];
      const keys = { ...KEYS, Code: 'Success', Type: 'AWS-HMAC', Token: 'token==' };
      return path.endsWith('/security-credentials/weir-role')
        ? [200, JSON.stringify({ ...keys, LastUpdated: EXPIRATION })]
        : [404, ''];
    });
    setEnvironment({ AWS_EC2_METADATA_SERVICE_ENDPOINT: url });
    expect(await mint()).toMatchObject({ secret: 'ASIAX:secret/1:token==' });
  });

  it('comes from its environment, and is read again', async () => {
    setEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAX', AWS_SECRET_ACCESS_KEY: 'secret' });
    expect(await mint()).toEqual({ secret: 'AKIAX:secret', lifetimeMs: HOUR_MS });
  });

  it('is missed in words', async () => {
    setEnvironment({ AWS_EC2_METADATA_DISABLED: 'true' });
    expect(await mint()).toMatchObject({
      failed: expect.stringContaining('AWS gave no keys') as string,
    });
    expect(await mint('profile:nobody')).toMatchObject({
      failed: expect.stringContaining('nobody') as string,
    });
  });

  it('is used for AWS alone', () => {
    expect(awsMinting.mintOf('role', 'https://amazonaws.com.example.org')).toMatchObject({
      failed: expect.stringContaining('hosts of AWS alone') as string,
    });
  });
});

it.each(['AKIAX:secret', 'AKIAX:secret:token', 'ABSKkey', 'profile:'])(
  '%s is used as it is',
  (credential) => {
    expect(awsMinting.mintOf(credential, BASE)).toBeUndefined();
    expect(awsMinting.read(credential)).toEqual({ secret: credential });
  },
);

it('a credential with spaces is refused, unless it is the JSON of a key', () => {
  expect(awsMinting.read('profile:a b')).toHaveProperty('mistake');
  const file = '{\n  "AccessKeyId": "AKIAX",\n  "SecretAccessKey": "secret"\n}';
  expect(awsMinting.read(file)).toEqual({
    secret: '{"AccessKeyId":"AKIAX","SecretAccessKey":"secret"}',
  });
});
