import type { LookupAddress } from 'node:dns';
import { expect, it } from 'vitest';
import {
  buildLookup,
  isPrivateAddress,
} from '../../../../gateway/data-plane/upstream/address-guard.ts';

const PUBLIC: LookupAddress = { address: '8.8.8.8', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

function answerOf(addresses: LookupAddress[], all: boolean): unknown {
  const find = (_: string, callback: (error: null, found: LookupAddress[]) => void): void =>
    callback(null, addresses);
  let answer: unknown;
  buildLookup(isPrivateAddress, { find })('some.test', { all }, (error, found) => {
    answer = error?.code ?? found;
  });
  return answer;
}

it('refuses a name of which any address is private, whichever comes first', () => {
  for (const all of [true, false]) {
    expect(answerOf([PUBLIC, PRIVATE], all)).toBe('ERR_ADDRESS_REFUSED');
    expect(answerOf([PRIVATE, PUBLIC], all)).toBe('ERR_ADDRESS_REFUSED');
  }
  expect(answerOf([PUBLIC], true)).toEqual([PUBLIC]);
  expect(answerOf([PUBLIC], false)).toBe('8.8.8.8');
});
