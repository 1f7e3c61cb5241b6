import { afterAll, beforeAll, describe } from 'vitest';
import { testAdministrator } from './administrator.ts';
import { testContentLog } from './content-log.ts';
import { testEveryControl } from './every-control.ts';
import { testFirstVisit } from './load.ts';
import { testNewcomer } from './newcomer.ts';
import { testOnboarding } from './onboarding.ts';
import { testOperator } from './operator.ts';
import type { ConsolePage } from './pages.ts';
import { testGroups } from './groups.ts';
import { testRequests } from './requests.ts';
import { testRegistering } from './registering.ts';
import { testGuards, testSafety } from './safety.ts';
import { testSessionEnd } from './session-end.ts';
import { closeStockedConsole, openStockedConsole } from './stocked-console.ts';
import { testTargets } from './targets.ts';

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
