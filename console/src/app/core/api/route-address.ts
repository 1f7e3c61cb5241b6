import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { withoutWholeKey } from '@weir/shared/people/key-text';

export type QueryValue = string | number | boolean | undefined;

/**
 * Puts parameters into `/keys/:keyId`. Throws when one is missing: `/keys/undefined` must never be
 * asked for.
 */
function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`${path} lacks ${name}`);
    return encodeURIComponent(value);
  });
}

/** The same-origin address of a route. */
export function routeAddress(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // Servers on the way write addresses into their logs.
    if (value !== undefined && value !== '') search.set(name, withoutWholeKey(String(value)));
  }
  const text = search.toString();
  return `${ADMIN_API_ROOT}${fillPath(path, params)}${text === '' ? '' : `?${text}`}`;
}
