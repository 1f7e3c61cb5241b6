import type { Locator, Page } from 'playwright-core';
import type { Random } from '../simulator/random.ts';

/** Texts that people type, by mistake or to see what happens. */
const WORDS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  '1.5',
  '1e30',
  '99999999999999999999',
  '0.0000000001',
  'ada@example.org',
  '<b>bold</b>',
  '水门 🌊',
  'x'.repeat(3_000),
  '2026-12-01',
  'https://example.org',
  '10.0.0.0/8',
  '{"a":',
  '٣',
];
/** Elements on top, which take every click. */
const ON_TOP = 'mat-dialog-container, [role="menu"], [role="listbox"]';
const CONTROLS =
  'button, a[href], input:not([type="file"]), textarea, select, summary, [role="option"], [role="menuitem"], [role="combobox"], [role="switch"]';
/** These end the session that the next visits come with. */
const ENDS_SESSION = /^(Log out|退出登录|End|结束)/;
/** A control may be covered or gone by now. */
const ACT_MS_MAX = 700;

interface Control {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly href: string;
}

/** The facts that are read about an element of the page. */
interface Shown {
  readonly tagName: string;
  readonly type?: string;
  readonly innerText?: string;
  getAttribute(name: string): string | null;
}

/** Runs in the page. */
function describe(shown: Shown): Control {
  const name = shown.getAttribute('aria-label') ?? shown.innerText ?? '';
  return {
    tag: shown.tagName.toLowerCase(),
    type: shown.type ?? '',
    name: name.trim().replace(/\s+/g, ' ').slice(0, 50),
    href: shown.getAttribute('href') ?? '',
  };
}

async function choose(page: Page, random: Random): Promise<Locator | undefined> {
  const onTop = page.locator(`.cdk-overlay-container :is(${ON_TOP})`).last();
  const place = (await onTop.isVisible())
    ? onTop
    : page.locator(random.chance(0.85) ? 'main' : 'body');
  const controls = await place.locator(`:is(${CONTROLS})`).all();
  return controls.length === 0 ? undefined : random.pick(controls);
}

async function use(page: Page, one: Locator, control: Control, random: Random): Promise<string> {
  const { tag, type, name } = control;
  const patience = { timeout: ACT_MS_MAX };
  if (tag === 'textarea' || (tag === 'input' && !['checkbox', 'radio'].includes(type))) {
    const words = random.pick(WORDS);
    await one.fill(words, patience);
    const enters = random.chance(0.3);
    if (enters) await page.keyboard.press('Enter');
    return `types “${words.slice(0, 20)}” into “${name}”${enters ? ' and presses Enter' : ''}`;
  }
  if (tag === 'select') {
    const index = random.between(0, (await one.locator('option').count()) - 1);
    await one.selectOption({ index }, patience);
    return `chooses option ${index} of “${name}”`;
  }
  const twice = random.chance(0.15);
  if (twice) await one.dblclick(patience);
  else await one.click(patience);
  return `clicks ${twice ? 'twice ' : ''}on ${tag} “${name}”`;
}

/** Does something with a control of what is on top of a page. Answers what, in words. */
export async function doSomething(page: Page, random: Random): Promise<string> {
  if (random.chance(0.08)) {
    await page.keyboard.press('Escape');
    return 'presses Escape';
  }
  if (random.chance(0.04)) {
    await page.goBack({ timeout: ACT_MS_MAX * 3 });
    return 'goes back';
  }
  const one = await choose(page, random);
  if (one === undefined) return 'finds nothing to click on';
  const control = await one.evaluate(describe, undefined, { timeout: ACT_MS_MAX });
  if (ENDS_SESSION.test(control.name) || /^https?:/.test(control.href)) return 'hesitates';
  return use(page, one, control, random);
}
