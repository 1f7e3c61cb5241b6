import { inject } from 'vitest';
import type { EmbeddedGround, PostgresGround, RedisGround } from './ground.ts';

interface Answers {
  readonly postgres: PostgresGround;
  readonly redis: RedisGround;
  readonly embedded: EmbeddedGround;
}

/** Where a script that is no test run says that it laid the ground itself. */
export const GROUND_URL_VARIABLE = 'WEIR_GROUND_URL';

/** Asks the run's own process for a shared server; the first to ask waits until it has started. */
export async function askGround<Name extends keyof Answers>(name: Name): Promise<Answers[Name]> {
  const groundUrl = process.env[GROUND_URL_VARIABLE] ?? inject('groundUrl');
  const response = await fetch(`${groundUrl}/${name}`);
  const body = await response.text();
  if (!response.ok) throw new Error(`The tests' ${name} is not there: ${body}`);
  return JSON.parse(body) as Answers[Name];
}
