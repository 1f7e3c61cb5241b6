/**
 * `npm run console:measure`: what a first visit to the console costs, page by page, and what a
 * browser holds when it has scrolled through a hundred thousand usage records to the end. The
 * figures are in bench/README.md. With `-- pages`, the times of the operators' pages on a large
 * installation; with words after it, those of pages whose addresses contain one.
 */
import {
  createConsoleFixture,
  type ConsoleFixture,
  type Visitor,
} from '../../test/end-to-end/support/console-fixture.ts';
import { visitFirst, type FirstVisit } from '../../test/end-to-end/walks/first-visit.ts';
import { addRecords, scrollFar } from '../../test/end-to-end/support/many-records.ts';
import { untilSettled } from '../../test/end-to-end/walks/pages.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from '../../test/end-to-end/support/stock.ts';
import { FIXTURE_URL_VARIABLE } from '../../test/support/clients/ask-fixture.ts';
import { createFixture } from '../../test/support/fixture.ts';
import { satisfyPrerequisites } from '../../test/support/machine/prerequisites.ts';
import { measurePages } from './measure-pages.ts';

const PATHS = ['/login', '/dashboard', '/requests', '/keys', '/models'];
/** Number of visits, each with an empty browser; the median is reported. */
const VISITS = 5;
const RECORDS = 100_000;
const SCROLL_TIMEOUT_MS = 300_000;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

async function measureFirstVisits(visitor: () => Promise<Visitor>, path: string): Promise<string> {
  const visits: FirstVisit[] = [];
  for (let count = 0; count < VISITS; count += 1) {
    const one = await visitor();
    visits.push(await visitFirst(one, path));
    await one.context.close();
  }
  const of = (what: keyof FirstVisit): number => median(visits.map((visit) => visit[what]));
  return [
    '',
    `\`${path}\``,
    `${(of('transferredBytes') / 1000).toFixed(0)} kB`,
    `${(of('whenIdleBytes') / 1000).toFixed(0)} kB`,
    `${of('firstContentfulPaintMs').toFixed(0)} ms`,
    `${of('largestContentfulPaintMs').toFixed(0)} ms`,
    `${of('blockingMs').toFixed(0)} ms`,
    of('layoutShift').toFixed(3),
    '',
  ]
    .join(' | ')
    .trim();
}

async function measureScrolling(fixture: ConsoleFixture, stock: Stock): Promise<void> {
  await addRecords(fixture, stock.accountId, RECORDS);
  const { page, context } = await fixture.visitor({ as: stock.user });
  await page.goto('/requests?range=all');
  await untilSettled(page);
  const seen = await scrollFar(page, { rowsWanted: RECORDS, timeoutMs: SCROLL_TIMEOUT_MS });
  process.stdout.write(`${JSON.stringify(seen, undefined, 2)}\n`);
  await context.close();
}

async function main(): Promise<void> {
  const lack = satisfyPrerequisites();
  if (lack !== undefined) throw new Error(lack);
  const servers = await createFixture();
  process.env[FIXTURE_URL_VARIABLE] = servers.url;
  const fixture = await createConsoleFixture(STOCK_SETTINGS);
  try {
    const [what, ...words] = process.argv.slice(2);
    if (what === 'pages') {
      await measurePages(fixture, words);
      return;
    }
    const stock = await stockUp(fixture);
    process.stdout.write(
      '| Page | transferred | when idle | first contentful paint | largest contentful paint | blocking | layout shift |\n',
    );
    for (const path of PATHS) {
      const visitor = () => fixture.visitor(path === '/login' ? {} : { as: stock.user });
      process.stdout.write(`${await measureFirstVisits(visitor, path)}\n`);
    }
    await measureScrolling(fixture, stock);
  } finally {
    await fixture.close();
    await servers.close();
  }
}

await main();
