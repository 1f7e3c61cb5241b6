import { afterAll, beforeAll, describe } from 'vitest';
import { testContentLog } from './walks/content-log.ts';
import { testFirstVisit } from './support/load.ts';
import { testOnboarding } from './walks/onboarding.ts';
import { testOperator } from './walks/operator.ts';
import { testGroups } from './walks/groups.ts';
import { testRequests } from './walks/requests.ts';
import { testRegistering } from './walks/registering.ts';
import { testSessionEnd } from './walks/session-end.ts';
import { closeStockedConsole, openStockedConsole } from './support/stocked-console.ts';
import { testTargets } from './walks/targets.ts';

beforeAll(openStockedConsole);
afterAll(closeStockedConsole);

describe('an operator', testOperator);
describe('an operator with a new upstream', testOnboarding);
describe('a session that ends', testSessionEnd);
describe('registering', () => testRegistering('turnstile'));
describe('the request log', testRequests);
describe('a content log', testContentLog);
describe('groups', testGroups);
describe('load', () => testFirstVisit(['/requests']));
describe('what models take', testTargets);
