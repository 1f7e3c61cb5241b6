import { afterAll, beforeAll, describe } from 'vitest';
import { testAdministrator } from './walks/administrator.ts';
import { testEveryControl } from './support/every-control.ts';
import { testNewcomer } from './walks/newcomer.ts';
import type { ConsolePage } from './walks/pages.ts';
import { testGuards, testSafety } from './walks/safety.ts';
import { closeStockedConsole, openStockedConsole } from './support/stocked-console.ts';

/** One with a list and a dialog. The long tests look at every page. */
const isOfSample = ({ route }: ConsolePage): boolean => route === '/admin/groups';

beforeAll(openStockedConsole);
afterAll(closeStockedConsole);

// The two walks that use most of the console, and what protects its users. A page that is loaded
// takes a second of a core, so all other walks are long tests.
describe('an administrator', testAdministrator);
describe('a newcomer', testNewcomer);
describe('a page', () => testEveryControl(isOfSample));
describe('safety', testSafety);
describe('guards match the roles of the API', () => testGuards(isOfSample));
