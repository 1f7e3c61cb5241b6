import { expect, it } from 'vitest';
import { chooseProxy, proxiesOf } from '../../../../gateway/data-plane/upstream/choose-proxy.ts';

const proxies = proxiesOf({
  httpsProxy: 'http://secure.proxy:1',
  httpProxy: 'http://plain.proxy:2',
  noProxy:
    'inside.test, .below.test,*.star.test ported.test:8443,10.0.0.1,172.16.0.0/12,fd00::/8,bad/x',
});

it.each([
  ['https://api.openai.com/v1', 'http://secure.proxy:1'],
  ['http://api.openai.com/v1', 'http://plain.proxy:2'],
  ['https://inside.test', null],
  ['https://x.inside.test', null],
  ['https://outinside.test', 'http://secure.proxy:1'],
  ['https://a.below.test', null],
  ['https://a.star.test', null],
  ['https://ported.test', 'http://secure.proxy:1'],
  ['https://ported.test:8443', null],
  ['http://10.0.0.1:8000', null],
  ['https://172.20.3.4', null],
  ['https://172.32.0.1', 'http://secure.proxy:1'],
  ['https://[fd12::1]:8443', null],
  ['https://[fe80::1]', 'http://secure.proxy:1'],
  ['https://bad', 'http://secure.proxy:1'],
  ['http://127.0.0.1:8000', null],
  ['http://localhost:8000', null],
  ['http://[::1]:8000', null],
])('%s is reached through %s', (url, proxy) => {
  expect(chooseProxy(new URL(url), null, proxies)).toBe(proxy);
});

it('a channel has the last word', () => {
  const url = new URL('https://inside.test');
  expect(chooseProxy(url, 'http://own.proxy:3', proxies)).toBe('http://own.proxy:3');
  expect(chooseProxy(new URL('https://api.openai.com'), 'none', proxies)).toBeNull();
  const all = proxiesOf({ httpsProxy: 'http://p', httpProxy: null, noProxy: '*' });
  expect(chooseProxy(new URL('https://api.openai.com'), null, all)).toBeNull();
});
