import type pg from 'pg';
import type { Secrets } from '../../platform/secrets/secrets.ts';

/**
 * Logins of command-line tools by RFC 8628, and what a tool asks about its key. HTTP threads read
 * the request and send the reply; the worker pool does the rest, since all of it waits on
 * PostgreSQL. Tasks and replies cross threads by structured clone.
 */
export type LoginTask =
  | {
      readonly kind: 'authorize';
      /** The name that the tool gives itself. */
      readonly tool: string;
      /** The device's name; '' when the tool sent none. */
      readonly device: string;
      readonly address: string;
    }
  | { readonly kind: 'poll'; readonly deviceCode: string; readonly address: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string; readonly address: string }
  | { readonly kind: 'revoke'; readonly token: string; readonly address: string };

/** The grant of a tool that waits for a person (RFC 8628, 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** An error of RFC 6749, RFC 8628 or RFC 7009. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable';

export interface OAuthReply {
  readonly status: number;
  readonly body: object;
}

export function oauthError(error: OAuthError, description: string, status = 400): OAuthReply {
  return { status, body: { error, error_description: description } };
}

/** The dependencies of a task, on a worker thread. */
export interface LoginContext {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  /** Seconds for which an access token works. */
  readonly accessTokenSeconds: number;
}
