import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Provider } from './provider.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';

/**
 * What an attempt that is not relayed means for its channel, for the next attempt and for the
 * client.
 */
export interface Verdict {
  readonly health: 'failed' | 'limited' | 'unknown';
  /** Another channel may do better: nothing in this answer is about the request itself. */
  readonly failover: boolean;
  /**
   * What the failure is about, and so what is left alone after it: nothing but the request; the
   * model at this channel in this protocol; the same for this credential alone; the credential,
   * while the channel has another one; or the channel.
   */
  readonly scope: 'request' | 'model' | 'credential_model' | 'credential' | 'channel';
  readonly refusal: Refusal;
  /** There was no connection to the upstream: no request can be to blame for that. */
  readonly unreachable?: true;
  /**
   * The upstream cannot verify what another account has signed: it may serve the request without.
   */
  readonly proofsRefused?: boolean;
}

export const UPSTREAM_FAILED = refuse(
  'upstream_error',
  'The upstream that serves this model failed. Nothing was charged; try again.',
);

/** What a client is told while the upstream limits requests. */
export const UPSTREAM_LIMITED =
  'The upstream that serves this model is limiting requests. Wait as long as Retry-After says.';

const UPSTREAM_UNREACHED = refuse(
  'upstream_timeout',
  'The upstream that serves this model could not be reached in time. Nothing was charged; try again.',
);

/** The upstream has the request, and its vendor may charge for it. */
const UPSTREAM_TIMED_OUT = refuse(
  'upstream_timeout',
  'The upstream that serves this model did not answer in time. It may have worked on the request; try again, or ask for less.',
);

/**
 * Sent again it would be as large, and another upstream would have to be paid for it: no code that
 * SDKs retry.
 */
const REPLY_TOO_LARGE = refuse(
  'invalid_value',
  'The reply to this request is larger than can be passed on. Nothing was charged; ask for fewer choices (n), no logprobs or a smaller max_tokens, or for a stream.',
);

/**
 * The channel does not have the model, or not in this protocol: a mistake in its mapping, which
 * other models there do not have.
 */
export const MODEL_FAULT: Verdict = {
  health: 'unknown',
  failover: true,
  scope: 'model',
  refusal: UPSTREAM_FAILED,
};

/** The account of the credential has no access to the model; that of another one may have. */
export const NO_ACCESS: Verdict = { ...MODEL_FAULT, scope: 'credential_model' };

export const CHANNEL_FAULT: Verdict = {
  health: 'failed',
  failover: true,
  scope: 'channel',
  refusal: UPSTREAM_FAILED,
};

const UNREACHABLE: Verdict = { ...CHANNEL_FAULT, unreachable: true };

/** Our credential there, or our money: another credential of the channel may do. */
export const CREDENTIAL_FAULT: Verdict = { ...CHANNEL_FAULT, scope: 'credential' };

/**
 * The operator's mistake, found before anything was sent: it says nothing about the upstream, and
 * costs no time to find again.
 */
const MISCONFIGURED: Verdict = {
  health: 'unknown',
  failover: true,
  scope: 'channel',
  refusal: refuse(
    'upstream_error',
    'The upstream that serves this model is misconfigured. Nothing was charged; the operator can find the reason on the channel’s page.',
  ),
};

/** About our credential, or our money there. */
export const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * About our model mapping, or the path: the upstream does not have the model there. What a server
 * does not have at one path says nothing about its other paths.
 */
export const MODEL_STATUSES: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Message text of an upstream taken over into ours at most. */
export const MESSAGE_LETTERS_MAX = 2_000;

/** A failure that says nothing about the channel, and that another channel would not mend. */
export function ofRequest(refusal: Refusal): Verdict {
  return { health: 'unknown', failover: false, scope: 'request', refusal };
}

/**
 * The operator's account there takes no request as large as this one. At another upstream it may be
 * allowed more, and nothing was made here that has to be paid for.
 */
export const OVER_ACCOUNT_LIMIT: Verdict = {
  ...ofRequest(
    refuse(
      'upstream_rejected',
      'The request is larger than the upstream account of this model may send. Nothing was charged; shorten the prompt, or ask for a smaller max_tokens or fewer choices (n).',
    ),
  ),
  failover: true,
};

/** The upstream takes no request as large as this one. */
export const REQUEST_TOO_LARGE: Verdict = ofRequest(
  refuse(
    'request_too_large',
    'The request is larger than the upstream that serves this model accepts. Nothing was charged; send fewer or smaller messages.',
  ),
);

/**
 * Judges a call that never had a head, or whose reply broke off or turned out to be something else
 * before the client saw any of it.
 * @param provider judges a body under a 2xx that is no reply
 */
export function verdictOn(
  { failed, body }: UpstreamFailure,
  provider: Pick<Provider, 'classifyReply'>,
): Verdict {
  switch (failed) {
    case 'aborted':
      return ofRequest(UPSTREAM_FAILED);
    case 'first_byte_timeout':
      return { ...CHANNEL_FAULT, refusal: UPSTREAM_TIMED_OUT };
    case 'connect_timeout':
      return { ...UNREACHABLE, refusal: UPSTREAM_UNREACHED };
    case 'idle_timeout':
      // The upstream had begun to work on it: another one would do so, and be paid, for a client
      // that has waited long.
      return { ...CHANNEL_FAULT, failover: false, refusal: UPSTREAM_TIMED_OUT };
    case 'total_timeout':
      // The time is the request's: another channel would start with none left, and long replies are
      // no channel's fault.
      return ofRequest(UPSTREAM_TIMED_OUT);
    case 'reply_too_large':
      return ofRequest(REPLY_TOO_LARGE);
    case 'connect_failed':
      return UNREACHABLE;
    case 'connection_broke':
      return CHANNEL_FAULT;
    case 'address_refused':
    case 'address_unusable':
      return MISCONFIGURED;
    case 'credential_unusable':
      return { ...MISCONFIGURED, scope: 'credential' };
    case 'bad_reply':
      return body === undefined ? CHANNEL_FAULT : provider.classifyReply(body);
  }
}

/**
 * Replaces the name that the upstream has for a model by the one that the client knows, in words
 * that are the upstream's: what a model is mapped to is the operator's matter, and nothing that the
 * client could correct.
 */
export function maskUpstreamModel(
  verdict: Verdict,
  upstreamModel: string,
  publicModel: string,
): Verdict {
  const { refusal } = verdict;
  const { message } = refusal;
  const bare = message.includes('litellm.') ? withoutLitellm(message) : message;
  const names = upstreamModel !== publicModel && bare.includes(upstreamModel);
  if (!names && bare === message) return verdict;
  const name = upstreamModel.replace(/\W/g, '\\$&');
  const alone = new RegExp(`(?<![\\w-])${name}(?![\\w-]|\\.\\w)`, 'g');
  const masked = names ? bare.replace(alone, () => publicModel) : bare;
  return { ...verdict, refusal: { ...refusal, message: masked } };
}

/** LiteLLM says before a vendor's words whose they are, and behind them how it routes. */
function withoutLitellm(message: string): string {
  return message
    .replace(/(?:litellm\.\w+: )+(?:\w+Error: )*(?:\w+Exception(?: \w+)* - )?/, '')
    .replace(/[. ]*Received Model Group=.*$/s, '');
}
