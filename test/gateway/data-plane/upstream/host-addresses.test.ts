import dns, { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  HostAddresses,
  type AddressesCallback,
} from '../../../../gateway/data-plane/upstream/host-addresses.ts';

const HERE: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];

let asked: { hostname: string; answer: AddressesCallback }[];
let hosts: HostAddresses;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  hosts = new HostAddresses((hostname, answer) => asked.push({ hostname, answer }));
});
afterEach(() => vi.useRealTimers());

it('asks once for all who wait, however long a name server says nothing', () => {
  const answers: unknown[] = [];
  for (let n = 0; n < 20; n += 1) hosts.find('dead.test', (error) => answers.push(error?.code));
  vi.advanceTimersByTime(60_000);
  hosts.find('dead.test', (error) => answers.push(error?.code));
  hosts.find('well.test', () => undefined);
  expect(asked.map(({ hostname }) => hostname)).toEqual(['dead.test', 'well.test']);

  asked[0]?.answer(Object.assign(new Error('none'), { code: 'EAI_AGAIN' }), []);
  expect(answers).toEqual(Array.from({ length: 21 }, () => 'EAI_AGAIN'));
});

it('asks again after a failure, and when an answer is some seconds old', () => {
  const find = vi.fn<AddressesCallback>();
  hosts.find('a.test', find);
  asked[0]?.answer(new Error('none'), []);
  hosts.find('a.test', find);
  asked[1]?.answer(null, HERE);
  hosts.find('a.test', find);
  vi.advanceTimersByTime(4_000);
  expect(find.mock.calls.map(([, addresses]) => addresses)).toEqual([[], HERE, HERE]);
  expect(asked).toHaveLength(2);

  vi.advanceTimersByTime(2_000);
  hosts.find('a.test', find);
  expect(asked).toHaveLength(3);
});

it('asks as Node does for its own connections: for addresses that this machine can reach', () => {
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  new HostAddresses().find('a.test', () => undefined);
  const [options] = lookup.mock.calls.map((args): unknown => args[1]);
  expect(options).toEqual({ all: true, hints: ADDRCONFIG });
});
