import { afterAll, beforeAll, describe } from 'vitest';
import { testFindingBarriers } from './barriers.ts';
import { testBulk } from './bulk.ts';
import { testCustomer } from './customer.ts';
import { testFields } from './fields.ts';
import { testFindingAccounts } from './find-account.ts';
import { testGivingUp } from './giving-up.ts';
import { testLanguages } from './languages.ts';
import { testOnboardingAround } from './onboarding.ts';
import { testOperatorAtWork } from './operator.ts';
import { testMargin } from './margin.ts';
import { testStatesAround } from './page-states.ts';
import { testOperators } from './operators.ts';
import { testRequestsAround } from './requests.ts';
import { testSorting } from './sorting.ts';
import { closeStockedConsole, openStockedConsole } from './stocked-console.ts';
import { testTwice } from './twice.ts';
import { testWithoutMouse } from './without-mouse.ts';

beforeAll(openStockedConsole);
afterAll(closeStockedConsole);

describe('a customer', testCustomer);
describe('an operator', testOperatorAtWork);
describe('a new upstream', testOnboardingAround);
describe('alerts and helpers, to an operator,', testOperators);
describe('cost and margin:', testMargin);
describe('many at once:', testBulk);
describe('lists', testSorting);
describe('a barrier', testFindingBarriers);
describe('without a mouse, someone', testWithoutMouse);
describe('while a page waits, is empty, or fails', testStatesAround);
describe('an admin finds an account by what people know of it', testFindingAccounts);
describe('the request log', testRequestsAround);
describe('what is begun', testGivingUp);
describe('what is tried twice, or by two', testTwice);
describe('fields', testFields);
// Last: the languages that are chosen are remembered for the users that all of these share.
describe('languages', () => testLanguages(['nobody']));
