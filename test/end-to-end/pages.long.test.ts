// Reading the router's configuration loads libraries that the build would have compiled.
import '@angular/compiler';
import { expect, it } from 'vitest';
import { guardOf, PAGES, type ConsolePage } from './walks/pages.ts';

/** As much of the router's configuration as says which pages there are, and for whom. */
interface Route {
  readonly path?: string;
  readonly redirectTo?: unknown;
  readonly canMatch?: readonly { readonly name: string }[];
  readonly loadChildren?: () => Promise<readonly Route[]>;
}

/** Not a literal: the console is compiled with settings of its own. */
const ROUTES_OF_CONSOLE = new URL('../../console/src/app/app.routes.ts', import.meta.url).pathname;

function readerOf(guards: readonly string[]): ConsolePage['reader'] {
  if (guards.includes('requireAdmin')) return 'admin';
  return guards.includes('requireUser') ? 'user' : 'nobody';
}

/** Every page below `routes`, as the router knows it. */
async function pagesOf(
  routes: readonly Route[],
  above: { readonly path: string; readonly guards: readonly string[] },
): Promise<string[]> {
  const found: string[] = [];
  for (const { path = '', redirectTo, canMatch = [], loadChildren } of routes) {
    if (redirectTo !== undefined) continue;
    const at = {
      path: path === '' ? above.path : `${above.path}/${path}`,
      guards: [...above.guards, ...canMatch.map(({ name }) => name)],
    };
    if (loadChildren === undefined) found.push(`${at.path || '/'} for ${readerOf(at.guards)}`);
    else found.push(...(await pagesOf(await loadChildren(), at)));
  }
  return found;
}

it('lists every page that the router has, for whom its guards let in', async () => {
  const { ROUTES } = (await import(ROUTES_OF_CONSOLE)) as { ROUTES: readonly Route[] };
  const expected = await pagesOf(ROUTES, { path: '', guards: [] });
  const listed = PAGES.map((page) => `${page.route} for ${guardOf(page)}`);
  // What no route matches is shown by the last one.
  const routed = listed.map((page) => page.replace('/no-such-page', '/**'));
  expect(routed.toSorted()).toEqual(expected.toSorted());
});
