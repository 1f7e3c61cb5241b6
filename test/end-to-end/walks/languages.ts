import { beforeAll, expect, it } from 'vitest';
import { addressOf, goTo, PAGES, untilSettled, type ConsolePage } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

type Texts = Readonly<Record<string, unknown>>;

/** Not literals: the console is compiled with settings of its own. */
const CATALOGUES = new URL('../../../console/src/app/core/i18n/', import.meta.url).pathname;

/**
 * Names, which are the same in every language: of a tool, and of the account that came with the
 * installation.
 */
const NAMES = ['Continue', 'Administrator'];

/** Texts that Chinese says in other words. */
async function readEnglish(): Promise<Set<string>> {
  const { english: texts } = (await import(`${CATALOGUES}en/index.ts`)) as { english: Texts };
  const { chinese } = (await import(`${CATALOGUES}zh-cn/index.ts`)) as { chinese: Texts };
  return new Set(
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string' && text !== chinese[key] && !NAMES.includes(text) ? [text] : [],
    ),
  );
}

/**
 * Runs in the page: everything that is read, seen or heard, but what people gave a name or machines
 * wrote.
 */
const READ = `(() => {
  const texts = new Set([document.title.split(' · ')[0]]);
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { parentElement: above, data } = nodes.currentNode;
    if (!above.closest('code, pre, kbd, script, style, [lang="en"]')) texts.add(data.trim().replace(/\\s+/g, ' '));
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
    for (const one of document.querySelectorAll('[' + name + ']')) texts.add(one.getAttribute(name).trim());
  }
  return [...texts];
})()`;

export function testLanguages(readers: readonly ConsolePage['reader'][]): void {
  let english: Set<string>;
  beforeAll(async () => {
    english = await readEnglish();
  });

  it.each(readers)(
    'every page of %s is all Chinese once Chinese is chosen, without being reloaded',
    async (reader) => {
      const { fixture, stock } = stockedConsole();
      const { page, context } = await fixture.visitor(
        reader === 'nobody' ? {} : { as: stock[reader] },
      );
      await page.goto('/models');
      await untilSettled(page);
      await page
        .getByTestId('user-menu')
        .or(page.getByRole('button', { name: /language/i }))
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Language' }).click();
      await page.getByRole('menuitemradio', { name: '简体中文' }).click();
      await page.locator('html[lang="zh-CN"]').waitFor({ state: 'attached' });
      await page.getByRole('menu').first().waitFor({ state: 'detached' });
      const left: string[] = [];
      for (const one of PAGES.filter((other) => other.reader === reader)) {
        await goTo(page, addressOf(one, stock));
        const texts = await page.evaluate<string[]>(READ);
        expect(
          texts.some((text) => /\p{Script=Han}/u.test(text)),
          one.route,
        ).toBe(true);
        left.push(
          ...texts.filter((text) => english.has(text)).map((text) => `${one.route}: ${text}`),
        );
      }
      expect(left).toEqual([]);
      await context.close();
    },
  );
}
