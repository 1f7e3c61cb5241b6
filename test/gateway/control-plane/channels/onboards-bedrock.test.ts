import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { baseAddressMistake } from '@weir/shared/catalog/base-address';
import { upstreamCandidates } from '@weir/shared/catalog/upstream-candidates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWS_ERRORS } from '../../../support/upstreams/fake-aws/aws-error.ts';
import { startFakeAws, type FakeAws } from '../../../support/upstreams/fake-aws/fake-aws.ts';
import {
  ACCESS_KEY,
  API_KEY,
  EXPIRED_KEY,
  SECRET_ACCESS_KEY,
} from '../../../support/upstreams/fake-aws/verify-request.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const REPLY = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 1 },
};

let fixture: AdminFixture;
let admin: Person;
let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws();
  aws.reply = () => ({ message: REPLY });
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(async () => {
  await fixture.close();
  await aws.close();
});

const probe = (body: { address: string; credential: string; kind?: 'bedrock' }) =>
  fixture.ask('probeUpstream', { as: admin, body: { allowPrivate: true, ...body } });

const test = (body: object) =>
  fixture.ask('testUpstream', {
    as: admin,
    body: {
      ...{ kind: 'bedrock', baseUrl: aws.url, upstreamName: MODEL },
      ...{ credential: ACCESS_KEY, allowPrivate: true, ...body },
    },
  });

describe('Bedrock is found out', () => {
  it.each([
    ['an access key', { credential: ACCESS_KEY }],
    ['an API key and its kind', { credential: API_KEY, kind: 'bedrock' as const }],
  ])('by %s, with its inference profiles', async (_what, access) => {
    const { reply } = await probe({ address: aws.url, ...access });
    expect(reply).toMatchObject({ kind: 'bedrock', baseUrl: aws.url, listsModels: true });
    expect(reply.models.map(({ upstreamName }) => upstreamName)).toContain(MODEL);
  });

  it('says that a credential is refused', async () => {
    const { problem } = await probe({ address: aws.url, credential: EXPIRED_KEY });
    expect(problem.errors?.[0]?.field).toBe('credential');
    expect(problem.detail).toContain('expired');
  });

  it('sends nobody the secret of an access key', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.url ?? ''} ${JSON.stringify(request.headers)}`);
      response.writeHead(404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await probe({ address: `http://127.0.0.1:${port}/v1`, credential: ACCESS_KEY });
    server.close();
    expect(seen).not.toEqual([]);
    expect(seen.filter((request) => request.includes(SECRET_ACCESS_KEY))).toEqual([]);
  });
});

describe('a model of Bedrock is tested, whole and streamed', () => {
  it.each([
    ['over InvokeModel', ''],
    ['over Anthropic’s path', '/anthropic'],
  ])('%s', async (_what, path) => {
    const { reply } = await test({ baseUrl: aws.url + path });
    expect(reply).toMatchObject({ ok: true, reply: 'ok', streamed: { ok: true } });
  });

  it('with the words of AWS where it fails', async () => {
    aws.reply = () => ({ error: AWS_ERRORS.noModelAccess });
    const { reply, text } = await test({});
    expect(reply).toMatchObject({ ok: false, httpStatus: 403 });
    expect(reply.error).toContain("You don't have access to the model");
    expect(text).not.toContain(SECRET_ACCESS_KEY);
    aws.reply = () => ({ message: REPLY, error: AWS_ERRORS.throttled, exceptionAfter: 2 });
    expect((await test({ upstreamName: 'us.openai.gpt' })).reply.ok).toBe(false);
  });
});

describe('an address of Bedrock', () => {
  const RUNTIME = 'https://bedrock-runtime.eu-central-1.amazonaws.com';
  const VPC = 'https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com';
  const MANTLE = 'https://bedrock-mantle.us-east-1.api.aws';

  it.each([
    ['bedrock-runtime.eu-central-1.amazonaws.com', RUNTIME],
    [`${RUNTIME}/model/${MODEL}/invoke-with-response-stream`, RUNTIME],
    [`${RUNTIME}/model/${encodeURIComponent(MODEL)}/converse`, RUNTIME],
    [`${RUNTIME}/anthropic/v1/messages`, `${RUNTIME}/anthropic`],
    [`${RUNTIME}/openai/v1/chat/completions`, `${RUNTIME}/openai/v1`],
    [VPC, VPC],
    [`${MANTLE}/v1`, `${MANTLE}/v1`],
  ])('%s is of one kind of channel', (address, baseUrl) => {
    expect(upstreamCandidates(address)).toEqual([{ kind: 'bedrock', baseUrl }]);
    expect(baseAddressMistake('bedrock', baseUrl)).toBeUndefined();
  });

  it('serves channels of other kinds as before, by the paths of their vendors', () => {
    expect(baseAddressMistake('anthropic', `${RUNTIME}/anthropic`)).toBeUndefined();
    expect(baseAddressMistake('openai', `${RUNTIME}/openai/v1`)).toBeUndefined();
    expect(baseAddressMistake('openai', `${MANTLE}/v1`)).toBeUndefined();
    expect(baseAddressMistake('openai', RUNTIME)).toContain('set the kind "bedrock"');
    expect(baseAddressMistake('anthropic', RUNTIME)).toContain('set the kind "bedrock"');
  });

  it('lacks the paths that Weir adds', () => {
    expect(baseAddressMistake('bedrock', `${RUNTIME}/model/${MODEL}/invoke`)).toBe(
      `ends in "/model/${MODEL}/invoke", which Weir adds; write "${RUNTIME}".`,
    );
    expect(baseAddressMistake('bedrock', `${RUNTIME}/anthropic/v1/messages`)).toContain(
      `write "${RUNTIME}/anthropic".`,
    );
  });
});
