/**
 * `npm run console:measure -- pages`: the time that lists and charts of operators and customers
 * take on the data set of `npm run bench:console-data`, from the address to the last row or chart.
 * Each page is opened as a new tab of a browser that has the console's files: once to warm up, then
 * three times. For machines that are shared, the CPU time of the tab's main thread and of Weir's
 * process is printed too.
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CDPSession } from 'playwright-core';
import type { ConsoleFixture } from '../../test/end-to-end/support/console-fixture.ts';
import { SETTLED_BODY, TABLE_CONTENT } from '../../test/end-to-end/walks/pages.ts';
import { cpuSeconds } from '../../test/support/machine/cpu-seconds.ts';

const SEED = fileURLToPath(new URL('../../bench/console-data.ts', import.meta.url));
const REPETITIONS = 3;
const OPEN_MS_MAX = 1_000;

/** The addresses of lists and charts, with ids of the data set in place of their parameters. */
const OPERATOR_PAGES = [
  '/admin/overview',
  '/admin/operations',
  '/admin/requests',
  '/admin/requests?range=week',
  '/admin/requests?range=month&chart=1',
  '/admin/requests?outcome=failed',
  '/admin/requests?sort=-duration',
  '/requests/{request}',
  '/admin/accounts',
  '/admin/accounts?sort=-spend',
  '/admin/accounts/users',
  '/admin/accounts/keys',
  '/admin/accounts/keys?sort=-used',
  '/admin/accounts/keys?sort=-spend',
  '/admin/accounts/keys/{key}',
  '/admin/accounts/{account}',
  '/admin/accounts/{account}/statements/{month}',
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
  '/admin/margin?range=month',
  '/admin/accounting',
  '/admin/alerts',
  '/admin/alerts/log',
  '/admin/system',
  '/admin/audit',
  '/models',
] as const;

/** Those of the customer with the most requests. */
const CUSTOMER_PAGES = [
  '/dashboard',
  '/requests',
  '/requests?range=month&chart=1',
  '/requests/{request}',
  '/keys',
  '/keys?sort=-spend',
  '/keys/{key}',
  '/models',
  '/playground',
  '/billing',
  '/billing/orders',
  '/billing/orders/{order}',
  '/billing/statements',
  '/billing/statements/{month}',
  '/members',
  '/members/audit',
  '/account',
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

/** Counts requests without a reply: a list may be asked for when another one is there. */
const COUNT_REQUESTS = `{
  const send = window.fetch;
  window.waiting = 0;
  window.fetch = async (...input) => {
    window.waiting += 1;
    try {
      const reply = await send(...input);
      await reply.clone().arrayBuffer();
      return reply;
    } finally {
      window.waiting -= 1;
    }
  };
}`;

/**
 * Resolves in the page with the milliseconds from the beginning of its navigation to the first
 * frame that has every list and chart. Looking from outside, as tests do, is up to 500 ms late.
 */
const UNTIL_DRAWN = `new Promise((resolve) => {
  const every = (selector, has) =>
    [...document.querySelectorAll(selector)].every((one) => one.querySelector(has) !== null);
  const look = () => {
    const isDrawn =
      window.waiting === 0 &&
      document.querySelector('${SETTLED_BODY}') !== null &&
      every('weir-data-table', '${TABLE_CONTENT}') &&
      every('weir-bar-chart', 'path') &&
      document.fonts.status === 'loaded';
    if (isDrawn) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Opens a page in a tab of its own. */
async function openOnce(
  { context }: Awaited<ReturnType<ConsoleFixture['visitor']>>,
  address: string,
): Promise<{ readonly elapsedMs: number; readonly busyMs: number }> {
  const page = await context.newPage();
  await page.addInitScript(COUNT_REQUESTS);
  const client = await context.newCDPSession(page);
  // CPU time: that of the clock grows with what else the machine does.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address, { waitUntil: 'commit' });
  const elapsedMs = await page.evaluate<number>(UNTIL_DRAWN);
  const measured = { elapsedMs, busyMs: await busyMs(client) };
  await page.close();
  return measured;
}

type Ids = Readonly<Record<string, string>>;

interface Reader {
  readonly name: string;
  readonly visitor: Awaited<ReturnType<ConsoleFixture['visitor']>>;
  readonly pages: readonly string[];
}

async function measurePage(
  { name, visitor }: Reader,
  page: string,
  { ids, cpuMs }: { readonly ids: Ids; readonly cpuMs: () => number },
): Promise<void> {
  const address = page.replace(/\{(\w+)\}/g, (_match, parameter: string) => ids[parameter] ?? '');
  await openOnce(visitor, address);
  const opened = [];
  const beforeMs = cpuMs();
  for (let count = 0; count < REPETITIONS; count += 1) {
    opened.push(await openOnce(visitor, address));
  }
  const serverMs = (cpuMs() - beforeMs) / REPETITIONS;
  const times = opened.map(({ elapsedMs }) => elapsedMs).toSorted((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const busy = Math.min(...opened.map((one) => one.busyMs));
  const figures = [median, times.at(-1) ?? 0, busy, serverMs].map((ms) => `${ms.toFixed(0)} ms`);
  const verdict = median <= OPEN_MS_MAX ? 'yes' : 'NO';
  process.stdout.write(`| ${name} | \`${page}\` | ${figures.join(' | ')} | ${verdict} |\n`);
}

/** Opens every list and chart of operators and customers, and prints how long each takes. */
export async function measurePages(
  fixture: ConsoleFixture,
  words: readonly string[],
): Promise<void> {
  const ids = seed(fixture.database.url);
  const readers: readonly Reader[] = [
    {
      name: 'operator',
      visitor: await fixture.visitor({ as: await fixture.logIn(fixture.admin) }),
      pages: OPERATOR_PAGES,
    },
    {
      name: 'customer',
      visitor: await fixture.visitor({ as: await fixture.logIn(ids['email'] ?? '') }),
      pages: CUSTOMER_PAGES,
    },
  ];
  const cpuMs = () => cpuSeconds(fixture.weir.pid) * 1_000;
  const isWanted = (page: string) =>
    words.length === 0 || words.some((word) => page.includes(word));
  process.stdout.write(
    `| Reader | Page | median | longest | tab's CPU | Weir's CPU | <= ${String(OPEN_MS_MAX)} ms |\n`,
  );
  for (const reader of readers) {
    for (const page of reader.pages.filter(isWanted)) {
      await measurePage(reader, page, { ids, cpuMs });
    }
    await reader.visitor.context.close();
  }
  process.stdout.write(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}\n`,
  );
}
