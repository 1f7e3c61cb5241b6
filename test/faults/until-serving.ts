import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../support/clocks/hang.ts';
import type { FaultFixture } from './fault-fixture.ts';

const ASK_EVERY_MS = 50;
const ASK_MS_MAX = 5_000;

/** Waits until each gateway serves a request with money again. Answers which do not. */
export async function untilServing(fixture: FaultFixture): Promise<string[]> {
  const found = await Promise.all(
    fixture.gateways.map(async (gateway) => {
      const deadlineMs = Date.now() + HANG_MS;
      let last = '';
      while (Date.now() < deadlineMs) {
        last = await ask(gateway.url, fixture).catch(String);
        if (last === '200') return [];
        await sleep(ASK_EVERY_MS);
      }
      return [`${gateway.name} does not serve again: ${last}`];
    }),
  );
  return found.flat();
}

async function ask(url: string, { payers }: FaultFixture): Promise<string> {
  const [account] = payers.accounts;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account?.key ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: account?.model,
      max_tokens: 8,
      messages: [{ role: 'user', content: 'Still there?' }],
    }),
    signal: AbortSignal.timeout(ASK_MS_MAX),
  });
  const text = await response.text();
  return response.status === 200 ? '200' : `${response.status} ${text}`;
}
