/** The page after a login without a wanted page. */
const HOME_PATH = '/dashboard';

/**
 * Returns the page after a login: only a path of this console. `//elsewhere.example` or `https://…`
 * in a link someone was sent must not lead away with a fresh session.
 */
export function landingPath(wanted: unknown): string {
  if (typeof wanted !== 'string') return HOME_PATH;
  return /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login') ? wanted : HOME_PATH;
}

/** The login page that leads back to `path`. */
export function loginPath(path: string): string {
  const landing = landingPath(path);
  return landing === HOME_PATH || landing === '/'
    ? '/login'
    : `/login?to=${encodeURIComponent(landing)}`;
}
