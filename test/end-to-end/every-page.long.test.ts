import { afterAll, beforeAll, describe } from 'vitest';
import { testBarriersAround } from './support/barriers.ts';
import { testEveryControl } from './support/every-control.ts';
import { testLanguages } from './walks/languages.ts';
import { testFirstVisit, testManyRecords } from './support/load.ts';
import { testPageStates } from './walks/page-states.ts';
import { testGuards } from './walks/safety.ts';
import {
  closeStockedConsole,
  openStockedConsole,
  stockedConsole,
} from './support/stocked-console.ts';
import { testExploring } from './walks/exploring.ts';

const everyPage = (): boolean => true;

const ANNOUNCEMENT = 'Maintenance on Sunday.';

function updateSettings(body: { announcement: string; supportUrl?: string }): Promise<unknown> {
  return stockedConsole().fixture.ask('updateSettings', { body });
}

beforeAll(async () => {
  await openStockedConsole();
  await updateSettings({ announcement: ANNOUNCEMENT, supportUrl: 'https://example.org/help' });
});
afterAll(closeStockedConsole);

describe('every page', () => testEveryControl(everyPage));
describe('barriers around the pages', testBarriersAround);
describe('guards match the roles of the API', () => testGuards(everyPage));
describe('while pages wait, are empty, or fail', () => testPageStates());
describe('load', () => {
  // With an announcement a visit loads the library that reads Markdown, 12 kB.
  beforeAll(() => updateSettings({ announcement: '' }));
  afterAll(() => updateSettings({ announcement: ANNOUNCEMENT }));
  testFirstVisit(['/', '/login', '/dashboard', '/keys', '/models']);
  testManyRecords();
});
describe('someone who clicks on anything', testExploring);
// Last: the languages that are chosen are remembered for the users that all of these share.
describe('languages', () => testLanguages(['user', 'admin']));
