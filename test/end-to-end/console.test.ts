import { afterAll, beforeAll, describe } from 'vitest';
import { testAdministrator } from './administrator.ts';
import { testFindingBarriers } from './barriers.ts';
import { testCustomer } from './customer.ts';
import { testEveryControl } from './every-control.ts';
import { testFields } from './fields.ts';
import { testFindingAccounts } from './find-account.ts';
import { testGivingUp } from './giving-up.ts';
import { testLanguages } from './languages.ts';
import { testFirstVisit } from './load.ts';
import { testNewcomer } from './newcomer.ts';
import { testOperator } from './operator.ts';
import { testPageStates, testStatesAround } from './page-states.ts';
import { testOperators } from './operators.ts';
import type { ConsolePage } from './pages.ts';
import { testRequests } from './requests.ts';
import { testGuards, testSafety } from './safety.ts';
import { closeStockedConsole, openStockedConsole } from './stocked-console.ts';
import { testTwice } from './twice.ts';
import { testWithoutMouse } from './without-mouse.ts';

/** Pages that have of everything what there is in one place. The long tests look at every page. */
const SAMPLE = ['/login', '/keys', '/admin/groups', '/admin/accounts/:accountId'];
const isOfSample = ({ route }: ConsolePage): boolean => SAMPLE.includes(route);

beforeAll(openStockedConsole);
afterAll(closeStockedConsole);

describe('an administrator', testAdministrator);
describe('a newcomer', testNewcomer);
describe('a customer', testCustomer);
describe('an operator', testOperator);
describe('alerts and helpers, to an operator,', testOperators);
describe('a page', () => testEveryControl(isOfSample));
describe('a barrier', testFindingBarriers);
describe('without a mouse, someone', testWithoutMouse);
describe('safety', testSafety);
describe('guards match the roles of the API', () => testGuards(isOfSample));
describe('while a page waits, is empty, or fails', () => {
  testPageStates(['/keys', '/admin/channels']);
  testStatesAround();
});
describe('an admin finds an account by what people know of it', testFindingAccounts);
describe('the request log', testRequests);
describe('what is begun', testGivingUp);
describe('what is tried twice, or by two', testTwice);
describe('fields', testFields);
describe('load', () => testFirstVisit(['/usage']));
// Last: the languages that are chosen are remembered for the users that all of these share.
describe('languages', () => testLanguages(['nobody']));
