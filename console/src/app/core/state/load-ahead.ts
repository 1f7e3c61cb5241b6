import type { Route, Routes } from '@angular/router';

/** The segments that a route leaves for its children; undefined if it is another page's route. */
function restAfter(route: Route, segments: readonly string[]): readonly string[] | undefined {
  const parts = (route.path ?? '').split('/').filter(Boolean);
  const isMatch = parts.every(
    (part, index) =>
      segments[index] === part || (part.startsWith(':') && segments[index] !== undefined),
  );
  return isMatch ? segments.slice(parts.length) : undefined;
}

/**
 * Loads the scripts of the page at a path. The router loads them only after its guards, which wait
 * for the server to say who is there. Guards still decide: nothing is shown by this. A script that
 * fails is loaded again by the router, which reports the failure.
 */
export async function loadAhead(routes: Routes, segments: readonly string[]): Promise<void> {
  for (const route of routes) {
    const rest = restAfter(route, segments);
    if (rest === undefined) continue;
    const children = route.children ?? (await route.loadChildren?.());
    if (Array.isArray(children)) return loadAhead(children, rest);
    if (rest.length > 0 || route.loadComponent === undefined) continue;
    await route.loadComponent();
    return;
  }
}
