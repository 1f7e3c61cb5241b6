import { authorizeDevice } from './authorize-device.ts';
import { exchangeDeviceCode } from './exchange-device-code.ts';
import type { LoginContext, LoginTask, OAuthReply } from './login-task.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { revokeLogin } from './revoke-login.ts';

/** Does a login's task on a worker thread. */
export function runLoginTask(task: LoginTask, context: LoginContext): Promise<OAuthReply> {
  switch (task.kind) {
    case 'authorize':
      return authorizeDevice(task, context);
    case 'poll':
      return exchangeDeviceCode(task, context);
    case 'refresh':
      return refreshTokens(task, context);
    case 'revoke':
      return revokeLogin(task, context);
  }
}
