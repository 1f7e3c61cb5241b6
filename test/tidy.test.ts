/** Checks of the whole repository that lint cannot make. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrationNames } from '../gateway/stores/postgres/migrate.ts';
import { longFunctions } from './support/sources/long-functions.ts';
import {
  documentedArguments,
  indicesOf,
  luaFiles,
  operationsOf,
  type LuaFile,
} from './support/stores/lua-scripts.ts';
import { PROTOCOL_FOLDERS } from './support/sources/rooms.ts';
import { lineCount, readSource, sourceFiles, sourcePaths } from './support/sources/source-files.ts';

const CODE = ['gateway/', 'shared/', 'console/', 'bench/', 'test/'];
const PRODUCT = ['gateway/', 'shared/', 'console/src/'];
const typescript = sourceFiles(['.ts'], CODE);
const inProduct = (path: string): boolean => PRODUCT.some((folder) => path.startsWith(folder));

/** A line of a comment that is text: no directive of a linter, and not indented as tables are. */
const COMMENT = /^\s*(?:\/\/ (?!eslint|oxlint|@ts-)|\/\*\* |\* (?! ))/;
const COMMENT_COLUMNS_MAX = 100;

function codeLines(text: string): number {
  return text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).length;
}

describe('length', () => {
  const FILE_LINES_MAX = 400;
  const FUNCTION_LINES_MAX = 70;
  const TEST_FUNCTION_LINES_MAX = 100;
  /** "Question it at 300": this many have been questioned. The number may only fall. */
  const LONG_FILES_MAX = 5;
  const LONG_FILE_LINES = 300;

  it('no file is longer than 400 lines', () => {
    const long = [...typescript, ...sourceFiles(['.lua', '.scss', '.html'], CODE)]
      .filter(({ text }) => lineCount(text) > FILE_LINES_MAX)
      .map(({ path, text }) => `${path}: ${String(lineCount(text))}`);
    expect(long).toEqual([]);
  });

  it('files over 300 lines, comments apart, do not become more', () => {
    const long = typescript
      .filter(({ path, text }) => inProduct(path) && codeLines(text) > LONG_FILE_LINES)
      .map(({ path }) => path);
    expect(long.length, long.join('\n')).toBeLessThanOrEqual(LONG_FILES_MAX);
  });

  it('comments keep to 100 columns, tables and drawings apart', () => {
    const wide = typescript.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.length > COMMENT_COLUMNS_MAX && COMMENT.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(wide).toEqual([]);
  });

  // The linter holds the product's functions to 70 lines; it does not know chapters of tests.
  it('no function of tests and benchmarks is longer than 100 lines, of specs than 70', () => {
    const long = typescript.flatMap((file) => {
      const isSpec = file.path.startsWith('console/src/testing/') || file.path.endsWith('.spec.ts');
      if (inProduct(file.path) && !isSpec) return [];
      const max = isSpec ? FUNCTION_LINES_MAX : TEST_FUNCTION_LINES_MAX;
      return lineCount(file.text) <= max ? [] : longFunctions(file, max);
    });
    expect(long).toEqual([]);
  });
});

describe('names', () => {
  const FORBIDDEN_FOLDERS = [
    'utils',
    'helpers',
    'services',
    'types',
    'interfaces',
    'common',
    'lib',
  ];
  const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

  it('no folder is a drawer for everything', () => {
    const folders = sourcePaths().flatMap((path) => path.split('/').slice(0, -1));
    expect(FORBIDDEN_FOLDERS.filter((name) => folders.includes(name))).toEqual([]);
  });

  it('TypeScript files are named in kebab-case', () => {
    const odd = typescript
      .map(({ path }) => path)
      .filter((path) => {
        // Everything before the first dot: `tidy.test.ts`, `key-list.spec.ts`, `vite-env.d.ts`.
        const [name = ''] = path.slice(path.lastIndexOf('/') + 1).split('.');
        return !KEBAB_CASE.test(name);
      });
    expect(odd).toEqual([]);
  });

  it('tests of the server stand in folders named as its rooms or files', () => {
    const rooms = typescript
      .map(({ path }) => /^test\/gateway\/([^/]+)\//.exec(path)?.[1])
      .filter((room) => room !== undefined);
    const known = new Set(
      typescript.map(({ path }) => path.replace(/\.ts$/, '').split('/').slice(0, 2).join('/')),
    );
    expect([...new Set(rooms)].filter((room) => !known.has(`gateway/${room}`))).toEqual([]);
  });
});

describe('protocols', () => {
  const FILES = [
    'protocol.ts',
    'from-client/count-prompt.ts',
    'from-client/parse-request.ts',
    'pass-through/pass-through.ts',
  ];
  /** The files of a protocol that is translated to others. */
  const GENERATING_FILES = [
    'neutral-form.ts',
    'from-client/read-request.ts',
    'to-upstream/encode-request.ts',
    'to-upstream/write-request.ts',
    'from-upstream/read-reply.ts',
    'from-upstream/read-stream.ts',
    'pass-through/reply-forms.ts',
    'to-client/write-reply.ts',
    'to-client/write-stream.ts',
    'wire/end-reason.ts',
  ];
  /** The files of a protocol that upstreams alone speak: none on the side of clients. */
  const UPSTREAM_FILES = [
    'protocol.ts',
    'neutral-form.ts',
    'to-upstream/write-request.ts',
    'from-upstream/read-reply.ts',
    'from-upstream/read-stream.ts',
    'from-upstream/reply-forms.ts',
    'wire/end-reason.ts',
  ];
  /** The same of one that embeds and does not generate. */
  const EMBEDDING_FILES = ['protocol.ts', 'embedding.ts'];
  /** By direction; `wire` has what several directions know of the form on the wire. */
  const FOLDERS: readonly string[] = [
    'from-client',
    'to-upstream',
    'from-upstream',
    'to-client',
    'pass-through',
    'web-socket',
    'wire',
  ];

  it('every protocol folder has the same files', () => {
    const paths = new Set(sourcePaths());
    const filesOf = (folder: string): readonly string[] => {
      if (![...paths].some((path) => path.startsWith(`${folder}/from-client/`))) {
        return paths.has(`${folder}/embedding.ts`) ? EMBEDDING_FILES : UPSTREAM_FILES;
      }
      return paths.has(`${folder}/neutral-form.ts`) ? [...FILES, ...GENERATING_FILES] : FILES;
    };
    const expected = PROTOCOL_FOLDERS.flatMap((folder) =>
      filesOf(folder).map((file) => `${folder}/${file}`),
    );
    expect(expected.filter((path) => !paths.has(path))).toEqual([]);
  });

  it('their folders say in which direction a file works', () => {
    const others = sourcePaths().filter((path) =>
      PROTOCOL_FOLDERS.some((protocol) => {
        const [folder = '', file] = path.slice(protocol.length + 1).split('/');
        return path.startsWith(`${protocol}/`) && file !== undefined && !FOLDERS.includes(folder);
      }),
    );
    expect(others).toEqual([]);
  });
});

interface Ban {
  readonly name: string;
  readonly what: RegExp;
  readonly why: string;
  readonly where: (path: string) => boolean;
}

/** Entry points: each is a process of its own, and may end it. */
const ENTRY = /(^|\/)(main|run|cli|supervisor|reconcile|[a-z-]+-process)\.ts$/;
const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.endsWith('.spec.ts');
const isServer = (path: string): boolean => path.startsWith('gateway/');

const BANS: readonly Ban[] = [
  {
    name: 'process.exit',
    what: /\bprocess\.exit\(/,
    why: 'A thread that holds a uWebSockets.js app and calls process.exit aborts the whole process.',
    where: (path) => isServer(path) && !ENTRY.test(path),
  },
  {
    name: 'eval',
    what: /\bnew Function\(|\beval\(/,
    why: 'Text must never become code.',
    where: () => true,
  },
  {
    name: 'as unknown as',
    what: /\bas unknown as\b/,
    why: 'It hides the error that the compiler would report.',
    where: inProduct,
  },
  {
    name: 'Math.random',
    what: /\bMath\.random\(/,
    why: 'Keys, ids and tokens come from node:crypto; only weighted choice and jitter may be guessable.',
    where: (path) =>
      isServer(path) && !/^gateway\/(data-plane\/(routing|upstream)|stores)\//.test(path),
  },
  {
    name: 'blocking calls on the request path',
    what: /\b(readFileSync|writeFileSync|execSync|spawnSync)\(/,
    why: 'It stops the event loop; read once, outside of functions that requests run.',
    where: (path) =>
      /^gateway\/data-plane\/(http|relay|upstream|admission|settlement|routing)\//.test(path),
  },
  {
    name: 'tests that do not run',
    what: /\b(it|test|describe)\.(only|skip|todo)\b/,
    why: 'A test that does not run looks like one that passes.',
    where: isTest,
  },
  {
    name: 'eslint-disable without a reason',
    what: /eslint-disable(?!.* -- \S)/,
    why: 'Say after " -- " why the rule does not hold here.',
    where: () => true,
  },
];

describe('code', () => {
  it.each(BANS)('$name: none. $why', ({ what, where }) => {
    const found = typescript
      .filter(({ path }) => where(path) && path !== 'test/tidy.test.ts')
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          const code = line.replace(/^\s*(\/\/(?! eslint)|\*).*/, '');
          return what.test(code) ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [];
        }),
      );
    expect(found).toEqual([]);
  });

  it('the console imports only what is its own and shared', () => {
    const found = sourceFiles(['.ts'], ['console/src/']).flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^']+)'/g)]
        .map(([, module = '']) => module)
        .filter(
          (module) =>
            /(^|\/)(gateway|bench|test)\//.test(module) ||
            // Specs run in Node and may read the sources; what goes to a browser may not.
            (module.startsWith('node:') && !path.endsWith('.spec.ts')),
        )
        .map((module) => `${path}: ${module}`),
    );
    expect(found).toEqual([]);
  });
});

describe('words', () => {
  // Put together here, so that this file does not find itself.
  const FORBIDDEN = [
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['XX', 'X'],
    ['HA', 'CK'],
    ['lorem', ' ipsum'],
    ['/work', '/'],
    ['/tmp/', 'weir'],
  ].map((halves) => halves.join(''));

  it('nothing is left for later, and nothing speaks of one machine', () => {
    const kinds = [
      '.ts',
      '.js',
      '.lua',
      '.sql',
      '.md',
      '.yml',
      '.html',
      '.scss',
      '.json',
      'Dockerfile',
    ];
    const found = sourceFiles(kinds)
      .filter(({ path }) => path !== 'package-lock.json')
      .flatMap(({ path, text }) =>
        FORBIDDEN.filter((word) => new RegExp(`(?<![A-Za-z])${word}(?![a-z])`).test(text)).map(
          (word) => `${path}: ${word}`,
        ),
      );
    expect(found).toEqual([]);
  });
});

describe('Lua', () => {
  const files = luaFiles();
  const included = new Set(
    files.flatMap(({ code }) => [...code.matchAll(/^-- include (\S+)$/gm)].map(([, name]) => name)),
  );
  const entries = files.filter(({ name }) => !included.has(name));

  /** The entry itself and what it includes. */
  function scriptOf(entry: LuaFile): LuaFile[] {
    const names = [...entry.code.matchAll(/^-- include (\S+)$/gm)].map(([, name]) => name);
    return [entry, ...files.filter(({ name }) => names.includes(name))];
  }

  it('there are scripts, and each file says first what it is for', () => {
    expect(entries.length).toBeGreaterThan(0);
    expect(files.filter(({ header }) => header.trim() === '').map(({ path }) => path)).toEqual([]);
  });

  it('a script documents each of KEYS and ARGV that it uses, and what it answers', () => {
    for (const entry of entries) {
      for (const table of ['KEYS', 'ARGV'] as const) {
        const used = scriptOf(entry).flatMap(({ code }) => indicesOf(code, table));
        const documented = indicesOf(entry.header, table);
        expect(documented.length, `${entry.path} ${table}`).toBeGreaterThan(0);
        expect(documented, `${entry.path} ${table}`).toEqual(expect.arrayContaining(used));
      }
      expect(entry.header, entry.path).toMatch(/^Returns/m);
    }
  });

  it('a file that only one script includes is named by it, and no file is left over', () => {
    const loaded = sourceFiles(['.ts'], ['gateway/'])
      .map(({ text }) => text)
      .join('\n');
    expect(
      entries.filter(({ name }) => !loaded.includes(`'${name}'`)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('each operation documents its arguments, as many as it takes, and its answers', () => {
    const operations = entries.flatMap((entry) => operationsOf(entry.code));
    for (const operation of operations) {
      const file = files.find(({ code }) =>
        new RegExp(`^local function ${operation.functionName}\\(`, 'm').test(code),
      );
      const label = `${operation.letter} ${operation.functionName}`;
      expect(file, label).toBeDefined();
      const header = file?.header ?? '';
      expect(header, label).toContain(`"${operation.letter}`);
      expect(header, label).toMatch(/^Returns/m);
      const [head, ...others] = documentedArguments(header);
      expect(head, label).toBe('head');
      expect(others.length, `${label}: ${others.join(' ')}`).toBe(operation.arguments);
    }
  });
});

describe('migrations', () => {
  const names = migrationNames();
  const landed = JSON.parse(
    readFileSync(new URL('landed-migrations.json', import.meta.url), 'utf8'),
  ) as Record<string, string>;

  it('are numbered from 0001 without gaps', () => {
    const numbers = names.map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(names.map((_, index) => index + 1));
  });

  it('are never changed once they have landed; a change is a new migration', () => {
    const now = Object.fromEntries(
      names.map((name) => [
        name,
        createHash('sha256')
          .update(readSource(`gateway/stores/postgres/migrations/${name}`))
          .digest('hex'),
      ]),
    );
    // A new migration is landed by adding its line from this comparison to landed-migrations.json.
    expect(now).toEqual(landed);
  });
});
