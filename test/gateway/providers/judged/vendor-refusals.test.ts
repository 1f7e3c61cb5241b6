import { describe, expect, it } from 'vitest';
import { applyVerdict } from '../../../../gateway/data-plane/routing/apply-verdict.ts';
import { RequestFailures } from '../../../../gateway/data-plane/routing/health/request-failures.ts';
import * as anthropic from '../../../../gateway/providers/anthropic/classify-error.ts';
import * as bedrock from '../../../../gateway/providers/bedrock/classify-error.ts';
import * as gemini from '../../../../gateway/providers/gemini/classify-error.ts';
import * as openai from '../../../../gateway/providers/openai-compatible/classify-error.ts';
import * as vertex from '../../../../gateway/providers/vertex/classify-error.ts';
import type { Verdict } from '../../../../gateway/providers/verdict.ts';
import { healthRoute, openHealth } from '../../data-plane/routing/health/support/health-fixture.ts';
import { OF_CREDENTIALS } from './of-accounts.ts';
import { OF_CHANNELS, OF_LIMITS, OF_MODELS } from './of-models.ts';
import { OF_OUR_LIMIT, OF_REQUESTS } from './of-requests.ts';
import type { VendorRefusal } from './vendor-refusal.ts';

const READERS = { anthropic, bedrock, gemini, openai, vertex };

function judge({ reader = 'openai', status, body }: VendorRefusal): Verdict {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return READERS[reader].classifyError(status, null, Buffer.from(text));
}

const ROUTE = healthRoute();

/** Sends requests of one account alone, all of which the upstream refuses. */
function refuseOften(verdict: Verdict) {
  const fixture = openHealth();
  const { health } = fixture;
  for (let requests = 0; requests < 20; requests += 1) {
    const begun = fixture.begin(ROUTE, 'anna');
    const failures = new RequestFailures(health, Buffer.from(`request ${requests}`));
    const request = { health, tried: [], failures, isBound: false, accountId: 'anna' };
    const credential = ROUTE.channel.credentials[0] ?? null;
    applyVerdict({ route: ROUTE, credential, begun, verdict, replied: true }, request);
    health.finished(begun, false);
    failures.ended();
  }
  return { health, mayUse: (account: string) => fixture.mayUse(ROUTE, account) };
}

const named = (rows: readonly VendorRefusal[]) =>
  rows.map((row) => [`${row.vendor} (${row.source})`, row] as const);

describe('the refusal of a vendor', () => {
  it.each(named(OF_REQUESTS))('goes to the client, and to it alone: %s', (_name, row) => {
    const { refusal, ...verdict } = judge(row);
    expect(verdict).toEqual({ health: 'unknown', failover: false, scope: 'request' });
    if (row.words !== undefined) expect(refusal.message).toBe(row.words);
  });

  it.each(named(OF_OUR_LIMIT))('is of a limit of ours, and others are asked: %s', (_name, row) => {
    expect(judge(row)).toMatchObject({ health: 'unknown', failover: true, scope: 'request' });
  });

  it.each(named(OF_CREDENTIALS))('is of our credential: %s', (_name, row) => {
    expect(judge(row)).toMatchObject({
      health: 'failed',
      failover: true,
      scope: 'credential',
      refusal: { refused: 'upstream_error' },
    });
  });

  it.each(named(OF_MODELS))('is of the model there: %s', (_name, row) => {
    const { scope, ...verdict } = judge(row);
    expect(['model', 'credential_model']).toContain(scope);
    expect(verdict).toMatchObject({ health: 'unknown', failover: true });
  });

  it.each(named(OF_LIMITS))('is a limit that passes: %s', (_name, row) => {
    const verdict = judge(row);
    expect(verdict).toMatchObject({ health: 'limited', failover: true });
    if (row.waitMs !== undefined) expect(verdict.refusal.retryAfterMs).toBe(row.waitMs);
  });

  it.each(named(OF_CHANNELS))('is of the server: %s', (_name, row) => {
    expect(judge(row)).toMatchObject({ health: 'failed', failover: true, scope: 'channel' });
  });

  it('keeps no other account away, and none where the request alone is at fault', () => {
    const harmless = new Set([...OF_REQUESTS, ...OF_OUR_LIMIT]);
    const rows = [...harmless, ...OF_CREDENTIALS, ...OF_MODELS, ...OF_LIMITS, ...OF_CHANNELS];
    for (const row of rows) {
      const { health, mayUse } = refuseOften(judge(row));
      expect([row.vendor, mayUse('ben')]).toEqual([row.vendor, true]);
      if (harmless.has(row)) expect([row.vendor, mayUse('anna')]).toEqual([row.vendor, true]);
      expect(health.isUnresponsive(ROUTE.channel.id)).toBe(false);
    }
  });
});
