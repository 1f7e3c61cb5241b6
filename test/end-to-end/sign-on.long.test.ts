import { afterAll, beforeAll, describe } from 'vitest';
import { createConsoleFixture, type ConsoleFixture } from './support/console-fixture.ts';
import { testSignOn } from './walks/sign-on.ts';

let fixture: ConsoleFixture | undefined;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture?.close());

describe('sign-on', () =>
  testSignOn(() => {
    if (fixture === undefined) throw new Error('The console is not open.');
    return fixture;
  }));
