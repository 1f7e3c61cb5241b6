import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { computed } from '@angular/core';
import { describe, expect, test } from 'vitest';
import { actKey, ACTS } from '../../admin/audit/act-words';
import { readdirSync, readFileSync } from 'node:fs';
import { english as everyoneEnglish } from './en/index';
import { operatorEnglish } from './en/operators';
import { I18n, preferredLanguage, type Messages } from './i18n';
import type { Message } from './message';
import { chinese as everyoneChinese } from './zh-cn/index';
import { operatorChinese } from './zh-cn/operators';

const english = { ...everyoneEnglish, ...operatorEnglish };
const chinese = { ...everyoneChinese, ...operatorChinese };

function textsOf(message: Message): string[] {
  return typeof message === 'string' ? [message] : [message.other, message.one ?? message.other];
}

function parametersIn(message: Message): string[] {
  const [text = ''] = textsOf(message);
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
}

const PAIRS = Object.entries(english as Messages).map(([key, message]) => ({
  key,
  message,
  translated: (chinese as Readonly<Record<string, Message>>)[key],
}));

const APP = new URL('../../', import.meta.url);
/** The code and templates of all pages. */
const SOURCES = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => /\.(ts|html)$/.test(name) && !/^core\/i18n\/(en|zh-cn)\/|\.spec\.ts$/.test(name),
  )
  .map((name) => ({ name, source: readFileSync(new URL(name, APP), 'utf8') }));

/** Matches the keys that sources compute: `protocol.${id}`, or by `keyIn('role')`. */
function computedKeys(source: string): RegExp[] {
  const templates = [...source.matchAll(/`(\w+\.[^`\n]*\$\{[^`\n]*)`/g)].map(([, text = '']) =>
    text.replace(/\$\{[^}]*\}/g, '*'),
  );
  const prefixes = [...source.matchAll(/keyIn\('([\w.]+)'\)/g)].map(
    ([, prefix = '']) => `${prefix}.*`,
  );
  return [...new Set([...templates, ...prefixes])]
    .filter((pattern) => /^[\w.*-]+$/.test(pattern))
    .map((pattern) => {
      const keys = pattern.replaceAll('.', String.raw`\.`).replaceAll('*', String.raw`[\w-]+`);
      return new RegExp(`^${keys}$`);
    });
}

describe('Every text', () => {
  test('is in both languages, and no language has more', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  test('has the same parameters in both', () => {
    const different = PAIRS.filter(
      ({ message, translated }) =>
        translated === undefined ||
        parametersIn(message).join() !== parametersIn(translated).join(),
    );
    expect(different.map(({ key }) => key)).toEqual([]);
  });

  test.each(['en', 'zh-cn'])('has one place in %s', (language) => {
    const folder = new URL(`./${language}/`, import.meta.url);
    const keys = readdirSync(folder).flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^  '([\w.-]+)':/gm)].map(
        ([, key]) => key,
      ),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys).toHaveLength(PAIRS.length);
  });

  test('is not empty', () => {
    const empty = PAIRS.filter(({ message, translated }) =>
      [...textsOf(message), ...textsOf(translated ?? '')].some((text) => text.trim() === ''),
    );
    expect(empty.map(({ key }) => key)).toEqual([]);
  });

  test('is shown by a page: translators keep none in vain', () => {
    const source = SOURCES.map((one) => one.source).join('\n');
    const named = new Set([...source.matchAll(/(['"`])([\w.-]+)\1/g)].map(([, , key]) => key));
    const computed = computedKeys(source);
    const unused = PAIRS.filter(
      ({ key }) => !named.has(key) && !computed.some((keys) => keys.test(key)),
    );
    expect(unused.map(({ key }) => key)).toEqual([]);
  });

  test('there is one for each code the API can refuse with', () => {
    const missing = Object.keys(ERROR_CATALOGUE).filter(
      (code) => !Object.hasOwn(english, `problem.${code}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('Texts of operators', () => {
  const files = SOURCES.filter(({ name }) => !name.startsWith('admin/'));

  test('are on no page of others, who do not load them', () => {
    const foreign = files.flatMap(({ name, source }) =>
      Object.keys(operatorEnglish)
        .filter((key) => source.includes(`'${key}'`) || source.includes(`"${key}"`))
        .map((key) => `${name}: ${key}`),
    );
    expect(foreign).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  test('are kept apart: no key is in both', () => {
    expect(
      Object.keys(operatorEnglish).filter((key) => Object.hasOwn(everyoneEnglish, key)),
    ).toEqual([]);
  });

  test('come with the language, and stay when it changes', async () => {
    const i18n = new I18n();
    await i18n.use('en');
    expect(i18n.t('alerts.none')).toBe('');
    await i18n.useOperatorTexts();
    expect(i18n.t('alerts.none')).toBe(operatorEnglish['alerts.none']);
    await i18n.use('zh-CN');
    expect(i18n.t('alerts.none')).toBe(operatorChinese['alerts.none']);
    expect(i18n.t('alerts.title')).toBe(everyoneChinese['alerts.title']);
  });
});

describe('Acts in the audit log', () => {
  test('each have their words', () => {
    const keys = ACTS.map((act) => actKey(act));
    expect(keys.filter((key) => key === undefined || !Object.hasOwn(english, key))).toEqual([]);
    expect(keys).toHaveLength(Object.keys(english).filter((key) => key.startsWith('act.')).length);
  });

  test('of a newer server have none', () => {
    expect(actKey('paintChannel')).toBeUndefined();
  });
});

describe('The language', () => {
  test('is switched with all that reads it, texts and numbers together', async () => {
    const i18n = new I18n();
    const shown = computed(() => i18n.t('start.progress', { done: 1_000, total: 3_000 }));
    expect(i18n.ready()).toBe(false);
    expect(shown()).toBe('');
    await i18n.use('en');
    expect(shown()).toBe('1,000 of 3,000 done');
    await i18n.use('zh-CN');
    expect(i18n.language()).toBe('zh-CN');
    expect(shown()).toContain('3,000');
    expect(shown()).not.toContain('done');
  });

  test('stays as it was when the other one cannot be loaded', async () => {
    const i18n = new I18n((language) =>
      language === 'en' ? Promise.resolve(english) : Promise.reject(new Error('offline')),
    );
    await i18n.use('en');
    await expect(i18n.use('zh-CN')).rejects.toThrow('offline');
    expect(i18n.language()).toBe('en');
    expect(i18n.t('nav.dashboard')).toBe('Dashboard');
  });

  test('counts in words as each language does', async () => {
    const i18n = new I18n();
    await i18n.use('en');
    await i18n.useOperatorTexts();
    expect(i18n.t('dashboard.requests', { count: 1 })).toBe('1 request');
    expect(i18n.t('dashboard.requests', { count: 0 })).toBe('0 requests');
    expect(i18n.t('dashboard.requests', { count: 12_000 })).toBe('12,000 requests');
    const restarts = (count: number): string => i18n.t('overview.restarts', { count });
    expect([restarts(1), restarts(2)]).toEqual(['1 restart', '2 restarts']);
  });

  test.each([
    [['zh-TW', 'en'], 'zh-CN'],
    [['zh'], 'zh-CN'],
    [['de-DE', 'en-GB', 'zh-CN'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const)('of a browser that states %j is %s', (wanted, language) => {
    expect(preferredLanguage(wanted)).toBe(language);
  });
});
