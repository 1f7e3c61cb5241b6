import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api';
import { Chat } from './chat';
import { Conversation } from './conversation';

function conversation(): Conversation {
  const refused = () => Promise.reject(new TypeError('offline'));
  return new Conversation(new FakeApi(), new Chat({ fetch: refused, now: () => 0 }));
}

const REQUEST = {
  gatewayUrl: 'https://gateway.example.org',
  key: 'sk-secret',
  model: 'a',
  protocol: 'openai-chat',
  system: undefined,
  parameters: {},
  modelOutputTokensMax: 100,
} as const;

describe('A conversation', () => {
  test('that begins again keeps the model, the key and the settings', async () => {
    const one = conversation();
    one.model.set('a');
    one.keyId.set('key');
    one.settings.controls.system.setValue('Be brief.');
    await one.chat.send('Hello?', REQUEST);
    one.clear();
    expect([one.chat.messages(), one.model(), one.keyId()]).toEqual([[], 'a', 'key']);
    expect(one.settings.system()).toBe('Be brief.');
  });

  test('is forgotten whole, for the next user', async () => {
    const one = conversation();
    one.model.set('a');
    one.keyId.set('key');
    one.draft.set('my secret');
    one.protocol.set('gemini');
    one.settings.controls.system.setValue('my secret');
    await one.chat.send('my secret', REQUEST);
    one.forget();
    expect([one.chat.messages(), one.model(), one.keyId(), one.draft(), one.protocol()]).toEqual([
      [],
      '',
      '',
      '',
      'openai-chat',
    ]);
    expect([one.settings.system(), one.chat.failure()]).toEqual([undefined, undefined]);
  });
});
