/**
 * The English of comments, names and documents: words that the field does not use, and doc comments
 * without a main clause.
 */
import { expect, it } from 'vitest';
import { sourceFiles } from './support/sources/source-files.ts';

const SELF = 'test/tidy-english.test.ts';
/** Released SQL is compared with its hash, so that its comments stay as they are. */
const RELEASED = /^gateway\/stores\/postgres\/(migrations|functions)\//;

const written = sourceFiles([
  ...['.ts', '.js', '.md', '.html', '.scss', '.sql', '.lua', '.yml', 'Dockerfile'],
]).filter(({ path }) => path !== SELF && !RELEASED.test(path));

/** Each with the words to use; people whose gender is unknown are "they". */
const BANNED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/who(?:so)?ever\b|whomever\b/i, 'the client, the caller, a user who'],
  [/\banew\b|Anew\b/i, 'again, re-'],
  [/dear(?:er|est)/i, 'more expensive, costlier'],
  [/spelt\b/i, 'written, escaped'],
  [/\bbeside\b/i, 'next to, alongside, in addition to'],
  [/\bbe it\b/i, 'either … or, even if'],
  [/\ball the same\b(?! \w)/i, 'anyway, nevertheless'],
  [/\bpurse/i, 'balance'],
  [/(?<![\p{L}[])(?:s?he|him|hers?|his|himself|herself)(?![\p{L}\]])/iu, 'they, their'],
];

it.each(BANNED_WORDS)('nothing says %s; better: %s', (banned) => {
  const found = written.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        banned.test(line) ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

/** Words that are still in use, each with the most lines that have it, by folder. */
const RECEDING_WORDS: readonly (readonly [RegExp, string, Readonly<Record<string, number>>])[] = [
  [
    /\b(?:told|tells)\b/i,
    'reported, returned, says, is sent',
    { 'bench/': 12, 'console/': 57, 'docs/': 1, 'gateway/': 42, 'shared/': 1, 'test/': 433 },
  ],
  [
    /\b(?:no|every)body\b/i,
    'no one, all clients',
    { 'bench/': 4, 'console/': 25, 'docs/': 0, 'gateway/': 12, 'shared/': 0, 'test/': 219 },
  ],
  [
    /\bstands\b(?! (?:in )?for\b)/i,
    'is, is written',
    { 'bench/': 0, 'console/': 23, 'docs/': 0, 'gateway/': 5, 'shared/': 0, 'test/': 20 },
  ],
  [
    /strangers?(?![a-z])/i,
    'unauthenticated caller, someone else',
    { 'bench/': 0, 'console/': 1, 'docs/': 0, 'gateway/': 6, 'shared/': 0, 'test/': 103 },
  ],
];

const CEILINGS = RECEDING_WORDS.flatMap(([word, better, ceilings]) =>
  Object.entries(ceilings).map(([folder, max]) => ({ word, better, folder, max })),
);

it.each(CEILINGS)(
  '$folder says $word in at most $max lines; better: $better',
  ({ word, folder, max }) => {
    const found = written
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line) => (word.test(line) ? [`${path}: ${line.trim()}`] : [])),
      );
    expect(found.length, found.slice(0, 5).join('\n')).toBeLessThanOrEqual(max);
  },
);

/**
 * The first sentence of a doc comment that is a clause without a main one. One that begins like a
 * question or with "Of" always is. One that begins with "When", "Where", "As" or "So" is if it has
 * no comma: "When the client leaves, the call is aborted." is a sentence.
 */
const CLAUSE =
  /\/\*\*\s+(?:\* )?(?:(?:(?:Until|Since) when|(?:By )?which|What|Who(?:m|se)?|Of|Whether|How|Why)\b|(?:When|Where|As|So)\b[^,.:;]*(?:[.:;]|\*\/))/gi;

function clausesIn(folders: readonly string[]): string[] {
  return sourceFiles(['.ts'], folders).flatMap(({ path, text }) =>
    [...text.matchAll(CLAUSE)].map(({ index, 0: comment }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${String(line)}: ${comment.replace(/\s+/g, ' ')}`;
    }),
  );
}

it('doc comments are phrases or sentences: "Returns …", "The reason why …"', () => {
  const folders = ['gateway/data-plane/', 'gateway/protocols/protocol.ts', 'shared/'];
  expect(clausesIn([...folders, 'gateway/ledger/ledger.ts'])).toEqual([]);
});

/** Doc comments elsewhere that are still clauses. The numbers may only fall. */
const CLAUSES_MAX = {
  'bench/': 0,
  'console/': 28,
  'gateway/': 85,
  'test/': 15,
};

it.each(Object.entries(CLAUSES_MAX))('clauses in %s: at most %d', (folder, max) => {
  const found = clausesIn([folder]).filter((comment) => !comment.startsWith(SELF));
  expect(found.length, found.slice(0, 5).join('\n')).toBeLessThanOrEqual(max);
});
