import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { describe, expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

/** Routes that no person needs a place for, and why. */
const NOBODYS: Partial<Record<RouteId, string>> = {
  listUsageRecords: 'for programs; the console lists requests, with what they cost',
  getHealth: 'asked by load balancers and monitors',
  receiveLogoutToken: 'called by identity providers',
  receiveStripeWebhook: 'called by the payment service',
};

const CALL =
  /\b(?:call|callTagged|callOnce|addressOf)\(\s*(?:[^'"()]*\?\s*)?'(\w+)'(?:\s*:\s*'(\w+)')?/g;
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const files = new Map(
  globSync('**/*.ts', { cwd: SOURCE })
    .filter((path) => !path.endsWith('.spec.ts') && !path.startsWith('testing/'))
    .map((path) => [path.replace(/\.ts$/, ''), readFileSync(join(SOURCE, path), 'utf8')]),
);

function importsOf(path: string): string[] {
  return [...(files.get(path) ?? '').matchAll(IMPORT)].map(([, to = '']) =>
    resolve('/', dirname(path), to).slice(1),
  );
}

/** Everything the application can load, the pages loaded lazily included. */
function reachable(): Set<string> {
  const found = new Set<string>();
  const waiting = ['main'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !files.has(path)) continue;
    found.add(path);
    waiting.push(...importsOf(path));
  }
  return found;
}

function callsIn(path: string): string[] {
  return [...(files.get(path) ?? '').matchAll(CALL)].flatMap(([, one, other]) =>
    [one, other].filter((name) => name !== undefined),
  );
}

const inPlace = reachable();
const called = new Set([...inPlace].flatMap(callsIn));
const isException = (route: string): boolean => Object.hasOwn(NOBODYS, route);

describe('Every route of the admin API', () => {
  test.each(Object.keys(ADMIN_ROUTES).filter((route) => !isException(route)))(
    '%s has a place in the console',
    (route) => expect(called).toContain(route),
  );

  test.each(Object.entries(NOBODYS))('but %s, which is %s, has none', (route) => {
    expect(called).not.toContain(route);
    expect(Object.keys(ADMIN_ROUTES)).toContain(route);
  });
});

describe('The console', () => {
  test('calls no route that the admin API does not have', () => {
    expect([...called].filter((route) => !Object.hasOwn(ADMIN_ROUTES, route))).toEqual([]);
  });

  test('has no file that nothing loads', () => {
    expect([...files.keys()].filter((path) => !inPlace.has(path))).toEqual([]);
  });
});
