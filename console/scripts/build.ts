/**
 * `npm run build -w console`. It is part of every `npm start`, so it does nothing when the sources
 * are those of the last build; otherwise it builds and holds the result to the size a first visit
 * may cost.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const CONSOLE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(CONSOLE, '..');
const OUTPUT = join(CONSOLE, 'dist/browser');
const STAMP = join(CONSOLE, 'dist/built-from.txt');

/**
 * The most that a first visit may transfer before anything is shown, compressed with gzip: scripts
 * and styles.
 */
const INITIAL_BYTES_MAX = 350_000;

const SOURCES = [
  'console/src/**/*.{ts,html,scss}',
  'console/public/**/*',
  'console/scripts/build.ts',
  'console/{angular,package,tsconfig,tsconfig.app}.json',
  'shared/**/*.ts',
  'package-lock.json',
];

/** Tests are no part of the application. */
function isSource(path: string): boolean {
  return !path.endsWith('.spec.ts') && /\.\w+$/.test(path);
}

function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()) {
    if (isSource(path)) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex');
}

function isBuilt(digest: string): boolean {
  return (
    existsSync(join(OUTPUT, 'index.html')) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === digest
  );
}

/** The scripts and styles that the page itself names. */
function initialFiles(): string[] {
  const page = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
  return [...new Set(namesIn(page, /(?:src|href)="([^":]+\.(?:js|css))"/g))];
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** Adds the scripts that a script needs before it runs. `import()` is none of them. */
function collectImports(name: string, all: Set<string>): Set<string> {
  if (all.has(name)) return all;
  all.add(name);
  const source = readFileSync(join(OUTPUT, name), 'utf8');
  for (const next of namesIn(source, /(?:import|from)\s*"\.\/([\w-]+\.js)"/g))
    collectImports(next, all);
  return all;
}

function initialBytes(): number {
  return initialFiles().reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(OUTPUT, name))).length,
    0,
  );
}

function withoutComments(page: string): string {
  return page.replace(/\s*<!--[\s\S]*?-->/g, '');
}

/** The page waits for this script. Browsers never ask again for one with a hash in its name. */
const THEME = 'theme.js';
/** The server takes so many for a hash. */
const HASH_CHARACTERS = 8;

/**
 * Removes comments, which are for developers, and preloads the typeface, which only a style sheet
 * names, and all scripts of the first load: Angular names ten of them, and the others would be
 * found when the first have been read.
 */
function finishPage(): void {
  const path = join(OUTPUT, 'index.html');
  const theme = readFileSync(join(OUTPUT, THEME));
  const hash = createHash('sha256').update(theme).digest('base64url').slice(0, HASH_CHARACTERS);
  const hashedTheme = `theme-${hash}.js`;
  writeFileSync(join(OUTPUT, hashedTheme), theme);
  const name = globSync('media/inter-latin-wght-normal-*.woff2', { cwd: OUTPUT })[0];
  if (name === undefined) throw new Error('The typeface is not among the built files.');
  const font = `<link rel="preload" href="${name}" as="font" type="font/woff2" crossorigin>`;
  const page = withoutComments(readFileSync(path, 'utf8')).replace(
    `"${THEME}"`,
    `"${hashedTheme}"`,
  );
  const scripts = new Set<string>();
  for (const script of namesIn(page, /src="(main-[\w-]+\.js)"/g)) collectImports(script, scripts);
  const links = [...scripts]
    .filter((script) => !page.includes(`"${script}"`))
    .map((script) => `<link rel="modulepreload" href="${script}">`);
  writeFileSync(path, page.replace('</head>', `${font}${links.join('')}</head>`));
}

/** Compressing less than this saves no packet. */
const COMPRESSED_FROM_BYTES = 1_000;
/** The best there is: 9 makes a first visit 20 kB larger and a build 5 s shorter. */
const BROTLI_QUALITY = constants.BROTLI_MAX_QUALITY;

/**
 * Writes compressed files next to scripts and styles; the server sends them to clients that accept
 * them.
 */
function compress(): void {
  for (const name of globSync('*.{js,css}', { cwd: OUTPUT })) {
    const path = join(OUTPUT, name);
    const bytes = readFileSync(path);
    if (bytes.length < COMPRESSED_FROM_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes));
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  }
}

async function runAngular(): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/@angular/cli/bin/ng.js'), 'build', '--progress=false'],
    {
      cwd: CONSOLE,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NG_CLI_ANALYTICS: 'false' },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) process.stderr.write(output);
  return code ?? 1;
}

async function main(): Promise<number> {
  const digest = sourcesDigest();
  if (isBuilt(digest)) return 0;
  process.stdout.write('Building the console (once; about half a minute) …\n');
  const code = await runAngular();
  if (code !== 0) return code;
  finishPage();
  compress();
  const bytes = initialBytes();
  if (bytes > INITIAL_BYTES_MAX) {
    process.stderr.write(
      `The console's first load is ${String(bytes)} bytes compressed; at most ${String(INITIAL_BYTES_MAX)} are allowed.\n`,
    );
    return 1;
  }
  mkdirSync(join(CONSOLE, 'dist'), { recursive: true });
  writeFileSync(STAMP, digest);
  process.stdout.write(
    `Console built: ${String(Math.round(bytes / 1000))} kB compressed at first load.\n`,
  );
  return 0;
}

process.exitCode = await main();
