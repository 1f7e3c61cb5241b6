import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  /** The reply of the security token service to an action. */
  const assumed = (action: string): string =>
    `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
       <Credentials><AccessKeyId>ASIAX</AccessKeyId><SecretAccessKey>secret/1</SecretAccessKey>
         <SessionToken>token==</SessionToken><Expiration>${EXPIRATION}</Expiration></Credentials>
     </${action}Result></${action}Response>`;

  async function folder(files: Readonly<Record<string, string>>): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'weir-aws-'));
    onTestFinished(() => rm(path, { recursive: true }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
    return path;
  }

  it('comes from a web identity, as in a cluster', async () => {
    const asked: (string | undefined)[] = [];
    const sts = await serve((request) => {
      asked.push(request.method);
      return [200, assumed('AssumeRoleWithWebIdentity')];
    });
    const path = await folder({ token: 'a.web.token' });
    setEnvironment({
      AWS_WEB_IDENTITY_TOKEN_FILE: join(path, 'token'),
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/weir',
      AWS_ENDPOINT_URL_STS: sts,
      AWS_REGION: 'us-east-1',
    });
    expect(await mint()).toEqual({ secret: 'ASIAX:secret/1:token==', lifetimeMs: HOUR_MS });
    expect(asked).toEqual(['POST']);
  });

  it('comes from a profile, and from the role that a profile assumes', async () => {
    const sts = await serve(() => [200, assumed('AssumeRole')]);
    const path = await folder({
      credentials: '[weir]\naws_access_key_id = AKIAX\naws_secret_access_key = secret\n',
      config:
        '[profile role]\nrole_arn = arn:aws:iam::123456789012:role/weir\nsource_profile = weir\n',
    });
    setEnvironment({
      AWS_SHARED_CREDENTIALS_FILE: join(path, 'credentials'),
      AWS_CONFIG_FILE: join(path, 'config'),
      AWS_ENDPOINT_URL_STS: sts,
      AWS_REGION: 'us-east-1',
    });
    expect(await mint('profile:weir')).toEqual({ secret: 'AKIAX:secret', lifetimeMs: HOUR_MS });
    expect(await mint('profile:role')).toEqual({
      secret: 'ASIAX:secret/1:token==',
      lifetimeMs: HOUR_MS,
    });
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
