import { afterAll, beforeAll, describe } from 'vitest';
import { GROUND_TIMEOUT_MS } from './console-ground.ts';
import { testFindingAccounts } from './find-account.ts';
import { testLanguages } from './languages.ts';
import { testLoad } from './load.ts';
import { testPageStates } from './page-states.ts';
import { testSafety } from './safety.ts';
import { closeStockedConsole, openStockedConsole } from './stocked-console.ts';

beforeAll(openStockedConsole, GROUND_TIMEOUT_MS);
afterAll(closeStockedConsole, GROUND_TIMEOUT_MS);

describe('safety', testSafety);
describe('while pages wait, are empty, or fail', testPageStates);
describe('an admin finds an account by what people know of it', testFindingAccounts);
describe('load', testLoad);
// Last: the languages that are chosen are remembered for the users that all of these share.
describe('languages', testLanguages);
