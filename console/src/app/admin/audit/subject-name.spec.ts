import { expect, test } from 'vitest';
import { subjectName as nameOfEntry } from './subject-name';

const subjectName = (entry: { before: unknown; after: unknown }): string | undefined =>
  nameOfEntry({ subjectId: 'id', names: {}, ...entry });

test('What an act was done to goes by the name it has now, or had before it was removed', () => {
  const before = { name: 'Basic', priceUsd: '5' };
  expect(subjectName({ before, after: { name: 'Starter', priceUsd: '5' } })).toBe('Starter');
  expect(subjectName({ before, after: null })).toBe('Basic');
});

test('Models, users, subscriptions and orders go by what they are known by', () => {
  const nameOf = (after: object) => subjectName({ before: null, after });
  expect(nameOf({ publicId: 'gpt-6.2-sol', displayName: 'Sol' })).toBe('gpt-6.2-sol');
  expect(nameOf({ email: 'ada@example.org', role: 'admin' })).toBe('ada@example.org');
  expect(nameOf({ accountName: 'Ada', planName: 'Starter' })).toBe('Ada');
  expect(nameOf({ accountName: 'Ada', amountUsd: '25' })).toBe('Ada');
});

test('What has no name has none', () => {
  expect(subjectName({ before: null, after: { hint: '…9f3a' } })).toBeUndefined();
  expect(subjectName({ before: null, after: null })).toBeUndefined();
  expect(subjectName({ before: undefined, after: 'a text' })).toBeUndefined();
  expect(subjectName({ before: null, after: { name: '', publicId: 7 } })).toBeUndefined();
});

test('What has no name in its views goes by what the server knows of it', () => {
  const entry = { subjectId: 'id', before: null, after: { hint: '…9f3a' } };
  expect(nameOfEntry({ ...entry, names: { id: 'OpenAI' } })).toBe('OpenAI');
});
