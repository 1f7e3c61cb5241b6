import { expect } from 'vitest';
import type { FakeGoogle } from '../../../../support/upstreams/fake-google/fake-google.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { all200, statusesOf, type MintingGateway } from './minting-gateway.ts';

const HOUR_MS = 3_600_000;
const STEPS = 25;

/** Sends requests in every step of an hour of fake time; none may fail. */
export async function passHour(
  gateway: MintingGateway,
  google: FakeGoogle,
  requests: number,
): Promise<void> {
  const atOnce = requests / STEPS;
  for (let step = 0; step < STEPS; step += 1) {
    expect(await statusesOf(gateway, atOnce)).toEqual(all200(atOnce));
    gateway.clock.advance(HOUR_MS / STEPS);
  }
  await until('the second token is there', () => gateway.minter.status().minted === 2);
  expect(google.tokens.grants).toBe(2);
  expect(google.requests).toHaveLength(requests);
}
