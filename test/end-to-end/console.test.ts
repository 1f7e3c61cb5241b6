import { afterAll, beforeAll, describe } from 'vitest';
import { testAdministrator } from './walks/administrator.ts';
import { testContentLog } from './walks/content-log.ts';
import { testEveryControl } from './support/every-control.ts';
import { testFirstVisit } from './support/load.ts';
import { testNewcomer } from './walks/newcomer.ts';
import { testOnboarding } from './walks/onboarding.ts';
import { testOperator } from './walks/operator.ts';
import type { ConsolePage } from './walks/pages.ts';
import { testGroups } from './walks/groups.ts';
import { testRequests } from './walks/requests.ts';
import { testRegistering } from './walks/registering.ts';
import { testGuards, testSafety } from './walks/safety.ts';
import { testSessionEnd } from './walks/session-end.ts';
import { closeStockedConsole, openStockedConsole } from './support/stocked-console.ts';
import { testTargets } from './walks/targets.ts';

/** One without a session, one with a list and a dialog. The long tests look at every page. */
const SAMPLE = ['/login', '/admin/groups'];
const isOfSample = ({ route }: ConsolePage): boolean => SAMPLE.includes(route);

beforeAll(openStockedConsole);
afterAll(closeStockedConsole);

// What would be noticed first; all other walks are long tests.
describe('an administrator', testAdministrator);
describe('a newcomer', testNewcomer);
describe('an operator', testOperator);
describe('an operator with a new upstream', testOnboarding);
describe('a page', () => testEveryControl(isOfSample));
describe('safety', testSafety);
describe('guards match the roles of the API', () => testGuards(isOfSample));
describe('a session that ends', testSessionEnd);
describe('registering', () => testRegistering('turnstile'));
describe('the request log', testRequests);
describe('a content log', testContentLog);
describe('groups', testGroups);
describe('load', () => testFirstVisit(['/usage']));
describe('what models take', testTargets);
