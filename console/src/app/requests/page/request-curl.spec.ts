import { PROTOCOL_IDS } from '@weir/shared/catalog/protocols';
import { expect, it } from 'vitest';
import { requestCurl } from './request-curl';

const GATEWAY = 'https://gateway.example.org';

it('has no request for a reply of a session', () => {
  const reply = { protocol: 'openai-realtime', model: 'voice', stream: true };
  expect(requestCurl(reply, GATEWAY)).toBeUndefined();
});

it.each(PROTOCOL_IDS.filter((id) => id !== 'openai-realtime'))(
  'sends a request of %s again, with a place for the prompt',
  (protocol) => {
    const text = requestCurl({ protocol, model: 'vendor/model', stream: true }, GATEWAY) ?? '';
    expect(text).toMatch(/^curl -X POST 'https:\/\/gateway\.example\.org\/v1/);
    expect(text).toContain('vendor/model');
    expect(text).toContain('$WEIR_API_KEY"');
    expect(text).toContain('YOUR PROMPT');
  },
);

it('lets no name of a model leave its quotation', () => {
  const text = requestCurl({ protocol: 'gemini', model: `a'; rm -rf ~ #`, stream: false }, GATEWAY);
  expect(text).toContain(`a'\\''; rm -rf ~ #`);
});

it('has none for a request without a protocol or model', () => {
  expect(requestCurl({ protocol: null, model: 'm', stream: false }, GATEWAY)).toBeUndefined();
  expect(requestCurl({ protocol: 'gemini', model: null, stream: false }, GATEWAY)).toBeUndefined();
});
