import type { Standing } from '@weir/shared/api/permissions';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../testing/words';
import { menuOf, type World } from '../shell/navigation/nav-links';
import { allCommands, findCommands, type Command } from './commands';

type Situation = Parameters<typeof allCommands>[1];
const standing: Standing = { role: 'user', memberRole: 'owner', tokenRole: null };
const USER: Situation = { standing, cardPayments: true, supportUrl: '' };
const ADMIN: Situation = { ...USER, standing: { ...standing, role: 'admin' } };

async function commands(situation: Situation, language: 'en' | 'zh-CN' = 'en'): Promise<Command[]> {
  const { t } = await wordsIn(language);
  return allCommands((key) => t(key), situation);
}

function pathsIn(found: readonly Command[]): string[] {
  return found.flatMap(({ act, group }) =>
    group === 'page' && act.kind === 'go' ? [act.path] : [],
  );
}

function namesOf(found: readonly Command[]): string[] {
  return found.map(({ name }) => name);
}

function pagesOf(world: World): string[] {
  return menuOf(world, { ...standing, role: 'admin' })
    .flatMap(({ links }) => links)
    .flatMap(({ path, parts = [] }) => [path, ...parts.map((part) => part.path)]);
}

describe('The command palette', () => {
  test('leads users to each of their pages and to none of an admin', async () => {
    expect(pathsIn(await commands(USER))).toEqual(pagesOf('customer'));
    expect(pagesOf('customer')).toContain('/usage');
  });

  test('leads an admin to the pages of both', async () => {
    const paths = pathsIn(await commands(ADMIN));
    expect(paths).toEqual([...pagesOf('customer'), ...pagesOf('operator')]);
  });

  test('offers help and payment by card only where there are any', async () => {
    const ids = async (situation: typeof USER): Promise<string[]> =>
      (await commands(situation)).map(({ id }) => id);
    expect(await ids(USER)).toContain('action:top up card');
    expect(await ids(USER)).not.toContain('action:help support');
    const other = await ids({ ...USER, cardPayments: false, supportUrl: 'https://help.example' });
    expect(other).not.toContain('action:top up card');
    expect(other).toContain('action:help support');
  });

  test('names no two commands alike', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const all = await commands({ ...ADMIN, supportUrl: 'https://help.example' }, language);
      expect(new Set(namesOf(all)).size).toBe(all.length);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    }
  });

  test('shows everything while nothing is typed, and nothing for nonsense', async () => {
    const all = await commands(ADMIN);
    expect(findCommands(all, '  ')).toEqual(all);
    expect(findCommands(all, 'xyzzy')).toEqual([]);
  });

  test('puts names that begin with the words first', async () => {
    const [first, ...others] = namesOf(findCommands(await commands(ADMIN), 'usage'));
    expect(first).toBe('Usage');
    expect(others).toContain('Operate: All usage');
  });

  test('finds by the path in any language, in any case and by words in any order', async () => {
    const chinese = await commands(ADMIN, 'zh-CN');
    expect(pathsIn(findCommands(chinese, 'AUDIT'))).toEqual(['/admin/audit']);
    expect(findCommands(chinese, 'dark theme')[0]?.act).toEqual({ kind: 'theme', theme: 'dark' });
    expect(findCommands(chinese, 'english')[0]?.act).toEqual({ kind: 'language', language: 'en' });
  });

  test('begins a new key with its dialog open', async () => {
    expect(findCommands(await commands(USER), 'create key')[0]?.act).toEqual({
      kind: 'go',
      path: '/keys',
      query: { open: 'new' },
    });
  });
});
