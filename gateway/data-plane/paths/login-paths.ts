/** The paths of a tool's login (RFC 8414, 8628 and 7009), which no key is sent to. */
export type LoginPage = 'metadata' | 'authorize' | 'token' | 'revoke' | 'device';

interface LoginPath {
  readonly path: string;
  readonly page: LoginPage;
  readonly method: 'GET' | 'POST';
}

export const LOGIN_PATHS: readonly LoginPath[] = [
  { path: '/.well-known/oauth-authorization-server', page: 'metadata', method: 'GET' },
  { path: '/oauth/device_authorization', page: 'authorize', method: 'POST' },
  { path: '/oauth/token', page: 'token', method: 'POST' },
  { path: '/oauth/revoke', page: 'revoke', method: 'POST' },
  { path: '/device', page: 'device', method: 'GET' },
];
