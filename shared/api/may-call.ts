import type { AdminRoute } from './admin-route.ts';
import { ADMIN_ROUTES, type RouteId } from './admin-routes.ts';
import { permits, type Standing } from './permissions.ts';

/**
 * True when a request with these roles may call the route. The server asks before every request,
 * the console before it offers something.
 */
export function mayCall(standing: Standing, routeId: RouteId): boolean {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  return route.caller === 'anyone' || permits(standing, route.permission);
}
