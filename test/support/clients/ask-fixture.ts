import { inject } from 'vitest';
import type { EmbeddedFixture, PostgresFixture, RedisFixture } from '../fixture.ts';

interface Answers {
  readonly postgres: PostgresFixture;
  readonly redis: RedisFixture;
  readonly embedded: EmbeddedFixture;
}

/**
 * The variable by which a script that is no test run passes on the fixture that it started itself.
 */
export const FIXTURE_URL_VARIABLE = 'WEIR_FIXTURE_URL';

/** Asks the run's own process for a shared server; the first to ask waits until it has started. */
export async function askFixture<Name extends keyof Answers>(name: Name): Promise<Answers[Name]> {
  const fixtureUrl = process.env[FIXTURE_URL_VARIABLE] ?? inject('fixtureUrl');
  const response = await fetch(`${fixtureUrl}/${name}`);
  const body = await response.text();
  if (!response.ok) throw new Error(`The tests' ${name} is not there: ${body}`);
  return JSON.parse(body) as Answers[Name];
}
