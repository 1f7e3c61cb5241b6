import type { TestProject } from 'vitest/node';
import { layGround } from './ground.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the shared servers; see ground.ts. */
    groundUrl: string;
  }
}

/** Runs once per test run, in vitest's own process. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ground = await layGround();
  project.provide('groundUrl', ground.url);
  return () => ground.close();
}
