import type { Page } from 'playwright-core';
import { PHONE, type ConsoleFixture } from '../end-to-end/support/console-fixture.ts';
import { addressOf, PAGES, type ConsolePage } from '../end-to-end/walks/pages.ts';
import type { Stock } from '../end-to-end/support/stock.ts';
import type { Random } from '../simulator/random.ts';
import { disturbApi } from './disturb-api.ts';
import { doSomething } from './actions.ts';

export interface Finding {
  readonly what: string;
  readonly at: string;
  /** The last steps, the latest at the end. */
  readonly steps: readonly string[];
}

export interface Exploration {
  readonly fixture: ConsoleFixture;
  readonly stock: Stock;
  readonly reader: ConsolePage['reader'];
  readonly random: Random;
  /** Asked before each step. */
  readonly isOver: () => boolean;
  readonly found: (finding: Finding) => void;
}

const STEPS_PER_VISIT = 25;
const STEPS_TOLD = 8;
const PAUSE_MS_MAX = 600;

/** Texts that no page should ever show: missing values, unfilled parameters. */
const ODD = /.{0,60}(?:\bundefined\b|\bNaN\b|\[object |Invalid Date|\{[a-z][A-Za-z]+\}).{0,60}/;
/**
 * The browser's messages about the explorer's own acts: of words in a field for dates, of replies
 * that failed.
 */
const EXPECTED = /Failed to load resource|does not conform|ERROR ApiFailure/;

/**
 * Someone who clicks on anything, types nonsense, goes back and changes their mind, while the API
 * is late and fails at times. Finds what nobody thought of: exceptions, and words that no page
 * should show.
 */
export async function explore(options: Exploration): Promise<void> {
  const { random, isOver, reader } = options;
  const pages = PAGES.filter((page) => page.reader === reader);
  const known = new Set<string>();
  const found = (finding: Finding): void => {
    if (known.has(finding.what)) return;
    known.add(finding.what);
    options.found(finding);
  };
  while (!isOver()) await visit({ ...options, found }, random.pick(pages));
}

async function visit(
  { fixture, stock, reader, random, isOver, found }: Exploration,
  begin: ConsolePage,
) {
  const { page, context } = await fixture.visitor({
    ...(reader === 'nobody' ? {} : { as: stock[reader] }),
    ...(random.chance(0.3) ? { size: PHONE } : {}),
  });
  const address = addressOf(begin, stock);
  const steps = [`${reader} opens ${address}`];
  const note = (what: string): void => {
    found({ what, at: page.url(), steps: steps.slice(-STEPS_TOLD) });
  };
  listen(page, note);
  await disturbApi(context, random);
  try {
    await page.goto(address);
    for (let step = 0; step < STEPS_PER_VISIT && !isOver(); step += 1) {
      steps.push(await doSomething(page, random).catch(() => 'misses the target'));
      if (random.chance(0.3)) await page.waitForTimeout(random.between(0, PAUSE_MS_MAX));
      const odd = ODD.exec(await page.locator('body').innerText());
      if (odd !== null) note(`shows “${odd[0]}”`);
    }
  } finally {
    await context.close();
  }
}

function listen(page: Page, note: (what: string) => void): void {
  page.on('pageerror', (error) => {
    note(error.stack ?? error.message);
  });
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || EXPECTED.test(message.text())) return;
    note(message.text());
  });
}
