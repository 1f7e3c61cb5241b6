import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringAxe, tooWide, violationsOfPage } from './barriers.ts';
import type { Visitor } from './console-fixture.ts';
import { walk } from '../walks/keyboard.ts';
import { addressOf, goTo, PAGES, untilSettled, type ConsolePage } from '../walks/pages.ts';
import { noteBreaches } from '../walks/safety.ts';
import { stockedConsole } from './stocked-console.ts';
import { faultsOfDialog } from '../walks/without-mouse.ts';

function testPage(pageOf: () => Page, one: ConsolePage): void {
  it('is where its address leads, and Tab reaches every control, is seen, and finds the way out', async () => {
    const page = pageOf();
    const address = addressOf(one, stockedConsole().stock);
    await goTo(page, address);
    expect(new URL(page.url()).pathname, 'nobody is sent elsewhere').toBe(address);
    expect(await walk(page)).toEqual({ missed: [], unmarked: [], hidden: [], ended: true });
  });

  it('has dialogs that keep the focus, close with Escape and give it back', async () => {
    for (const [index, opener] of (one.opens ?? []).entries()) {
      expect(await faultsOfDialog(pageOf(), opener), `dialog ${String(index)}`).toEqual([]);
    }
  });

  it('has no barrier in either theme', async () => {
    expect(await violationsOfPage(pageOf(), one)).toEqual([]);
  });

  it('never has to be scrolled sideways, on a phone or enlarged four times', async () => {
    expect(await tooWide(pageOf())).toEqual([]);
  });
}

/** Each page is shown once, and everything that holds of every page is looked at there. */
export function testEveryControl(isWanted: (page: ConsolePage) => boolean): void {
  const wanted = PAGES.filter(isWanted);
  const readers = [...new Set(wanted.map(({ reader }) => reader))];
  describe.each(readers)('for %s', (reader) => {
    let visitor: Visitor;
    beforeAll(async () => {
      const { fixture, stock } = stockedConsole();
      visitor = await fixture.visitor(reader === 'nobody' ? {} : { as: stock[reader] });
      await bringAxe(visitor);
      await noteBreaches(visitor);
      await visitor.page.goto('/models');
      await untilSettled(visitor.page);
    });
    afterAll(() => visitor.context.close());

    const pages = wanted.filter((one) => one.reader === reader);
    describe.each(pages)('the page $route', (one) => {
      testPage(() => visitor.page, one);
    });

    it('the content security policy was never broken, and nothing else complained about', async () => {
      expect(await visitor.page.evaluate('window.weirBreaches')).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    });
  });
}
