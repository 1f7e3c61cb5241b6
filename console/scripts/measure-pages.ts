/**
 * `npm run console:measure -- pages`: the time that lists and charts of operators take on the data
 * set of `npm run bench:console-data`, from the address to the last row or chart. Each page is
 * opened as a new tab of a browser that has the console's files: once to warm up, then three times.
 * The CPU time of the tab's main thread is printed too, for machines that are shared.
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import type { ConsoleFixture } from '../../test/end-to-end/support/console-fixture.ts';
import { untilSettled } from '../../test/end-to-end/walks/pages.ts';

const SEED = fileURLToPath(new URL('../../bench/console-data.ts', import.meta.url));
const REPETITIONS = 3;
const OPEN_MS_MAX = 1_000;

/** A page of the list or chart, with ids of the data set in place of its parameters. */
const PAGES = [
  '/admin/overview',
  '/admin/operations',
  '/admin/requests',
  '/admin/requests?range=week',
  '/admin/requests?range=month&chart=1',
  '/admin/accounts',
  '/admin/accounts?sort=-spend',
  '/admin/accounts/users',
  '/admin/accounts/keys',
  '/admin/accounts/keys?sort=-used',
  '/admin/accounts/keys?sort=-spend',
  '/admin/accounts/keys/{key}',
  '/admin/accounts/{account}',
  '/admin/groups',
  '/admin/groups/{group}',
  '/admin/models',
  '/admin/models/{model}',
  '/admin/channels',
  '/admin/channels/{channel}',
  '/admin/plans',
  '/admin/plans/subscriptions',
  '/admin/codes',
  '/admin/codes/{batch}',
  '/admin/codes/invitations',
  '/admin/orders',
  '/admin/orders/credits',
  '/admin/orders/invoices',
  '/admin/margin',
  '/admin/accounting',
  '/admin/alerts',
  '/admin/alerts/log',
  '/admin/system',
  '/admin/audit',
  '/models',
] as const;

/**
 * Fills the database and returns the ids that addresses need. A process of its own does it: the
 * console's scripts import nothing of the server.
 */
function seed(databaseUrl: string): Readonly<Record<string, string>> {
  const printed = execFileSync(process.execPath, [...process.execArgv, SEED, 'seed', databaseUrl], {
    encoding: 'utf8',
  });
  const [, ids = '{}'] = printed.trim().split('\n');
  return JSON.parse(ids) as Record<string, string>;
}

async function busyMs(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Charts are drawn on a canvas once the library has come. */
async function untilDrawn(page: Page): Promise<void> {
  await untilSettled(page);
  await page
    .locator('weir-bar-chart')
    .filter({ hasNot: page.locator('canvas, svg') })
    .first()
    .waitFor({ state: 'detached' });
}

/** Opens a page in a tab of its own. */
async function openOnce(
  { context }: Awaited<ReturnType<ConsoleFixture['visitor']>>,
  address: string,
): Promise<{ readonly elapsedMs: number; readonly busyMs: number }> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  // CPU time: that of the clock grows with what else the machine does.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const startedMs = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await untilDrawn(page);
  const measured = { elapsedMs: performance.now() - startedMs, busyMs: await busyMs(client) };
  await page.close();
  return measured;
}

/** Opens every list and chart of operators, and prints how long each takes. */
export async function measurePages(
  fixture: ConsoleFixture,
  words: readonly string[],
): Promise<void> {
  const ids = seed(fixture.database.url);
  const visitor = await fixture.visitor({ as: await fixture.logIn(fixture.admin) });
  const isWanted = (page: string) =>
    words.length === 0 || words.some((word) => page.includes(word));
  process.stdout.write(
    `| Page | median | longest | main thread | <= ${String(OPEN_MS_MAX)} ms |\n`,
  );
  for (const page of PAGES.filter(isWanted)) {
    const address = page.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name] ?? '');
    await openOnce(visitor, address);
    const opened = [];
    for (let count = 0; count < REPETITIONS; count += 1)
      opened.push(await openOnce(visitor, address));
    const times = opened.map(({ elapsedMs }) => elapsedMs).toSorted((one, other) => one - other);
    const median = times[Math.floor(times.length / 2)] ?? 0;
    const busy = Math.min(...opened.map((one) => one.busyMs));
    const figures = [median, times.at(-1) ?? 0, busy].map((ms) => `${ms.toFixed(0)} ms`);
    const verdict = median <= OPEN_MS_MAX ? 'yes' : 'NO';
    process.stdout.write(`| \`${page}\` | ${figures.join(' | ')} | ${verdict} |\n`);
  }
  process.stdout.write(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}\n`,
  );
  await visitor.context.close();
}
