import { expect, test } from 'vitest';
import { group } from '../../testing/views';
import { wordsIn } from '../../testing/words';
import { groupHint, groupOption } from './group-words';

test('A group to choose tells what it multiplies prices by, and how many models it has', async () => {
  const { t } = await wordsIn();
  expect(groupOption({ ...group, multiplier: '1.5', modelsCount: 1 }, t)).toEqual({
    value: group.id,
    label: 'general',
    note: '× 1.5 · 1 model',
    disabled: false,
  });
});

test('A group for some tools says which, before a key is made for another', async () => {
  const { t } = await wordsIn();
  const claude = { ...group, protocols: ['anthropic-messages' as const] };
  expect(groupOption(claude, t).note).toBe('× 1 · 2 models · for Claude Code');
  expect(groupHint({ ...claude, description: 'Cheap.' }, t)).toBe('for Claude Code. Cheap.');
});

test('Where codes of groups are entered is said as long as the chosen one has nothing to say', async () => {
  const { t } = await wordsIn();
  const hint = t('keys.groupHint');
  expect(hint).toContain('Redeem code');
  expect(groupHint(undefined, t)).toBe(hint);
  expect(groupHint({ ...group, description: '' }, t)).toBe(hint);
  expect(groupHint({ ...group, description: 'For chats.' }, t)).toBe('For chats.');
});
