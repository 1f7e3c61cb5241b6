import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTokenServer } from '../../../../gateway/data-plane/credentials/ask-token-server.ts';
import { loadSnapshot } from '../../../../gateway/catalog/load-snapshot.ts';
import { CredentialMinter } from '../../../../gateway/data-plane/credentials/credential-minter.ts';
import { NO_PROXIES } from '../../../../gateway/data-plane/upstream/choose-proxy.ts';
import { unseal } from '../../../../gateway/platform/secrets/secrets.ts';
import {
  startFakeGoogle,
  type FakeGoogle,
} from '../../../support/upstreams/fake-google/fake-google.ts';
import { until } from '../../../support/clocks/hang.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { streamedReply, wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const MODEL = 'gemini-2.5-pro';
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let google: FakeGoogle;
let minter: CredentialMinter;
let made = 0;

beforeAll(async () => {
  google = await startFakeGoogle();
  const turn = { pieces: ['It works.'] };
  google.reply = ({ method }) =>
    method === 'streamGenerateContent'
      ? { events: streamedReply('gemini', turn) }
      : { json: wholeReply('gemini', turn) };
  minter = new CredentialMinter({
    ask: (request, access) => askTokenServer(request, { ...access, proxies: NO_PROXIES }),
    publish: () => undefined,
    logger: SILENT,
  });
  fixture = await createAdminFixture({ minter });
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});

afterAll(async () => {
  minter.stop();
  await fixture.close();
  await google.close();
});

function createChannel(body: object) {
  made += 1;
  return fixture.ask('createChannel', {
    as: admin,
    body: {
      name: `Vertex ${String(made)}`,
      kind: 'vertex',
      baseUrl: google.baseUrl(),
      allowPrivate: true,
      models: [{ modelId: catalog.modelId, upstreamName: MODEL }],
      ...body,
    },
  });
}

describe('a key file of Google', () => {
  it('is kept without what nobody uses, and shown by account and key', async () => {
    const { reply } = await createChannel({ credentials: [google.keyFile] });
    expect(reply.credentials).toMatchObject([
      { hint: 'weir@test-project-1.iam.gserviceaccount.com 01234567' },
    ]);
    expect(JSON.stringify(reply)).not.toContain('PRIVATE KEY');
    const { rows } = await fixture.pool.query<{ sealed: string }>(
      'select sealed from channel_credentials where channel_id = $1',
      [reply.id],
    );
    const kept = unseal(TEST_SECRETS, rows[0]?.sealed ?? '');
    expect(kept).not.toMatch(/\n|client_id|project_id/);
  });

  it('is refused by name when it is not whole', async () => {
    const half = google.keyFile.slice(0, -20);
    const { status, text } = await createChannel({ credentials: [`${half}}`] });
    expect(status).toBe(400);
    expect(text).toContain('Paste the whole file.');
  });

  it('is refused by a channel whose credentials are keys', async () => {
    const { status, text } = await createChannel({
      kind: 'openai',
      credentials: [google.keyFile],
    });
    expect(status).toBe(400);
    expect(text).toContain('takes a key, and this is a file');
  });

  it('is exchanged where a channel is tested', async () => {
    const { reply } = await createChannel({ credentials: [google.keyFile] });
    const params = { channelId: reply.id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({ ok: true, reply: 'It works.' });
  });
});

describe('a token that was revoked', () => {
  it('is replaced where the channel is tested', async () => {
    const { reply } = await createChannel({ credentials: [google.keyFile] });
    const { snapshot } = await loadSnapshot(fixture.pool, {
      version: 1,
      secrets: TEST_SECRETS,
      onUnreadable: () => undefined,
    });
    minter.follow(snapshot);
    await until('the token is there', () => minter.entries().some(({ secret }) => secret !== null));
    google.tokens.revokeAll();
    const params = { channelId: reply.id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({ ok: true, reply: 'It works.' });
  });
});

describe('an address of Vertex', () => {
  const probe = (body: object) =>
    fixture.ask('probeUpstream', {
      as: admin,
      body: { address: google.baseUrl(), allowPrivate: true, ...body },
    });

  it('is recognised, with the models of its list', async () => {
    const { reply } = await probe({ credential: google.keyFile });
    expect(reply).toMatchObject({
      kind: 'vertex',
      baseUrl: google.baseUrl(),
      listsModels: true,
      models: [{ upstreamName: 'gemini-2.5-pro' }, { upstreamName: 'gemini-3-pro' }],
    });
  });

  it('says why a key file cannot be exchanged', async () => {
    const file = JSON.parse(google.keyFile) as object;
    const credential = JSON.stringify({ ...file, client_email: 'other@p.iam.gserviceaccount.com' });
    const { text } = await probe({ credential });
    expect(text).toContain('Invalid grant: account not found');
    expect(text).not.toContain('PRIVATE KEY');
  });

  it('is tried with a model before it is saved', async () => {
    const { reply } = await fixture.ask('testUpstream', {
      as: admin,
      body: {
        kind: 'vertex',
        baseUrl: google.baseUrl(),
        upstreamName: MODEL,
        credential: google.keyFile,
        allowPrivate: true,
      },
    });
    expect(reply).toMatchObject({ ok: true, streamed: { ok: true } });
  });
});
