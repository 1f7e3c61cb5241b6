import { expect, it } from 'vitest';
import { shownHost } from '../../../gateway/boot/start-admin.ts';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['::1', '[::1]'],
  ['fd00::7', '[fd00::7]'],
  ['weir.example.com', 'weir.example.com'],
])('HOST=%s is %s in an address', (host, shown) => {
  expect(shownHost(host)).toBe(shown);
  expect(URL.canParse(`http://${shownHost(host)}:8081`)).toBe(true);
});
