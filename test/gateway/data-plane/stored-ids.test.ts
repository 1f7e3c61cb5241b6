import { expect, it } from 'vitest';
import { StoredIds } from '../../../gateway/data-plane/stored/stored-ids.ts';
import { deriveSecrets } from '../../../gateway/platform/secrets/secrets.ts';
import { REQUEST_LIMITS } from '../../../gateway/protocols/protocol.ts';
import { openaiResponses } from '../../../gateway/protocols/openai-responses/protocol.ts';
import { isRefusal } from '../../../gateway/platform/errors/refusal.ts';
import { channelAt } from './upstream/support/open-channel.ts';

const OLD = 'a secret key that was in force before this one';
const NEW = 'a secret key that is in force now, as all know';

function request() {
  const [endpoint] = openaiResponses.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  const head = { endpoint, pathModel: null, query: '', headers: {} };
  const body = Buffer.from('{"model":"m","input":"hi"}');
  const parsed = openaiResponses.parse(body, head, REQUEST_LIMITS);
  if (isRefusal(parsed)) throw new Error(parsed.message);
  return parsed;
}

const CHANNEL = { ...channelAt('http://127.0.0.1:1/v1'), credentials: ['k1', 'k2'] };
const FORM = { idPrefixes: { reply: 'resp_', conversation: 'conv_' } };
const SERVING = {
  billing: { accountId: 'account' },
  route: { channel: CHANNEL, upstreamModel: 'up' },
  credential: 'k2',
};

it('an id leads to its reply and credential after a change of SECRET_KEY', () => {
  const before = new StoredIds(deriveSecrets(OLD).replyIdKeys);
  const after = new StoredIds(deriveSecrets(NEW, OLD).replyIdKeys);
  const id = before.idsFor(request(), SERVING, FORM)?.clientId('resp_up') ?? '';
  expect(id).toMatch(/^resp_[\w-]+$/);
  for (const ids of [before, after]) {
    const found = ids.find({ kind: 'reply', accountId: 'account', clientId: id }, FORM);
    expect(found).toMatchObject({
      channelId: CHANNEL.id,
      publicModel: 'm',
      upstreamId: 'resp_up',
    });
    expect(found && ids.credentialOf(found, CHANNEL)).toBe('k2');
    expect(found && ids.credentialOf(found, { credentials: ['k1'] })).toBeUndefined();
    expect(found && ids.credentialOf(found, { credentials: [] })).toBeUndefined();
  }
  const other = new StoredIds(deriveSecrets(NEW).replyIdKeys);
  expect(other.find({ kind: 'reply', accountId: 'account', clientId: id }, FORM)).toBeUndefined();
});

it('a channel without credentials has its replies found, too', () => {
  const ids = new StoredIds(deriveSecrets(NEW).replyIdKeys);
  const id =
    ids.idsFor(request(), { ...SERVING, credential: null }, FORM)?.clientId('resp_up') ?? '';
  const found = ids.find({ kind: 'reply', accountId: 'account', clientId: id }, FORM);
  expect(found && ids.credentialOf(found, { credentials: [] })).toBeNull();
  expect(found && ids.credentialOf(found, { credentials: ['k1'] })).toBeUndefined();
});
