import { afterAll, beforeAll, describe } from 'vitest';
import { GROUND_TIMEOUT_MS } from './console-ground.ts';
import { testFindingAccounts } from './find-account.ts';
import { testGivingUp } from './giving-up.ts';
import { testLanguages } from './languages.ts';
import { testLoad } from './load.ts';
import { testPageStates } from './page-states.ts';
import { testSafety } from './safety.ts';
import { testTwice } from './twice.ts';
import { testWandering } from './wandering.ts';
import { closeStockedConsole, openStockedConsole } from './stocked-console.ts';

/** Machines that are busy with other tests stand still for half a minute at times. */
const TIMEOUT_MS = 60_000;

beforeAll(openStockedConsole, GROUND_TIMEOUT_MS);
afterAll(closeStockedConsole, GROUND_TIMEOUT_MS);

describe('safety', { timeout: TIMEOUT_MS }, testSafety);
describe('while pages wait, are empty, or fail', { timeout: TIMEOUT_MS }, testPageStates);
describe(
  'an admin finds an account by what people know of it',
  { timeout: TIMEOUT_MS },
  testFindingAccounts,
);
describe('what is begun', { timeout: TIMEOUT_MS }, testGivingUp);
describe('what is tried twice, or by two', { timeout: TIMEOUT_MS }, testTwice);
describe('load', { timeout: TIMEOUT_MS }, testLoad);
describe('someone who clicks on anything', { timeout: TIMEOUT_MS }, testWandering);
// Last: the languages that are chosen are remembered for the users that all of these share.
describe('languages', { timeout: TIMEOUT_MS }, testLanguages);
