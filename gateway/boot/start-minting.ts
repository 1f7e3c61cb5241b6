import type { Logger } from 'pino';
import type { Problem } from '@weir/shared/api/problems';
import { askTokenServer } from '../data-plane/credentials/ask-token-server.ts';
import {
  CredentialMinter,
  type MinterStatus,
} from '../data-plane/credentials/credential-minter.ts';
import type { ToHttpThread } from '../data-plane/threads/messages.ts';
import { proxiesOf } from '../data-plane/upstream/choose-proxy.ts';
import type { Config } from '../platform/config/config.ts';
import type { ClosingStack } from './closing-stack.ts';

/** Opens what exchanges the credentials of channels for tokens, and hands those to the threads. */
export function startMinting({
  config,
  logger,
  closing,
  broadcast,
}: {
  readonly config: Config;
  readonly logger: Logger;
  readonly closing: ClosingStack;
  readonly broadcast: (message: ToHttpThread) => void;
}): CredentialMinter {
  const proxies = proxiesOf(config);
  const minter = new CredentialMinter({
    ask: (request, { allowPrivate, proxy }) =>
      askTokenServer(request, {
        allowPrivate: allowPrivate || config.allowPrivateUpstreams,
        proxy,
        proxies,
      }),
    publish: (entries) => broadcast({ kind: 'minted', entries }),
    logger,
  });
  closing.push('minting of credentials', () => {
    minter.stop();
    return undefined;
  });
  return minter;
}

/** Returns the failures of minting as problems for the operator. */
export function mintingProblems({ failing }: MinterStatus): Problem[] {
  return failing.map(({ channel, failure, isServed }) => ({
    kind: 'credential',
    severity: isServed ? 'warning' : 'error',
    message: isServed
      ? `The token of the channel “${channel}” cannot be renewed; requests are served with the former one until it expires. ${failure}`
      : `The credential of the channel “${channel}” cannot be exchanged for a token, so the channel is not used with it. Correct the credential on the channel’s page. ${failure}`,
  }));
}
