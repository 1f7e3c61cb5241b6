import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { networkOf } from '../../../platform/network/address.ts';
import { readSessionCookie } from '../../sessions/session-cookie.ts';
import { clientAddressOf } from './client-address.ts';
import { digestOf } from './opaque-token.ts';

/** Sessions and tokens that are remembered; the oldest make room. */
const CALLERS_MAX = 10_000;

/**
 * By whom requests are counted: by user once a session or token was accepted, by network before
 * that. An office behind one address is then many users, and not one client. Credentials that were
 * never accepted count by network, so invented ones open no further count.
 */
export class RecentCallers {
  readonly #consoleUrl: string;
  readonly #users = new Map<string, string>();

  constructor(consoleUrl: string) {
    this.#consoleUrl = consoleUrl;
  }

  /** Learns of accepted credentials. */
  follow(app: FastifyInstance): void {
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.identity !== null) this.#note(request, request.identity.userId);
      done();
    });
  }

  keyOf(request: FastifyRequest): string {
    const { routeId } = request.routeOptions.config;
    // Where guessing would pay, being someone else on top of it must not give further attempts.
    const isOpen = routeId !== undefined && ADMIN_ROUTES[routeId].caller === 'anyone';
    const credential = isOpen ? undefined : this.#credentialOf(request);
    const userId = credential === undefined ? undefined : this.#users.get(credential);
    if (userId !== undefined) return `user ${userId}`;
    // The plugin's own key takes a port for a part of the address.
    return networkOf(clientAddressOf(request));
  }

  #note(request: FastifyRequest, userId: string): void {
    const credential = this.#credentialOf(request);
    if (credential === undefined) return;
    this.#users.delete(credential);
    this.#users.set(credential, userId);
    const [oldest] = this.#users.keys();
    if (this.#users.size > CALLERS_MAX && oldest !== undefined) this.#users.delete(oldest);
  }

  /** A digest, so that no credential is kept in memory for longer than its request. */
  #credentialOf(request: FastifyRequest): string | undefined {
    const secret = request.headers.authorization ?? readSessionCookie(request, this.#consoleUrl);
    return secret === undefined ? undefined : digestOf(secret).toString('base64');
  }
}
