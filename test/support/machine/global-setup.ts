import type { TestProject } from 'vitest/node';
import { createFixture } from '../fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which test files ask for the shared servers; see fixture.ts. */
    fixtureUrl: string;
  }
}

/** Runs once per test run, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const fixture = await createFixture();
  project.provide('fixtureUrl', fixture.url);
  return () => fixture.close();
}
