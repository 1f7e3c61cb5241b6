import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/** The reason for which a sign-on was refused, as its audit entry says it. */
export type Reason =
  | 'unknown_state'
  | 'replayed_state'
  | 'expired'
  | 'other_browser'
  | 'mixed_up'
  | 'other_user'
  | 'denied'
  | 'code_refused'
  | 'invalid_response'
  | 'provider_failed'
  | 'groups_left_out'
  | 'no_address'
  | 'address_unverified'
  | 'address_taken'
  | 'sign_up_closed'
  | 'sign_up_refused'
  | 'user_disabled'
  | 'not_in_directory'
  | 'removed_from_directory'
  | 'linked_elsewhere'
  | 'login_changed';

const AGAIN = 'Begin again on the log-in page.';

const MESSAGES: Readonly<Record<Reason, string>> = {
  unknown_state: `This sign-on was not begun here, or too long ago. ${AGAIN}`,
  replayed_state: `This sign-on was used before, and works once. ${AGAIN}`,
  expired: `This sign-on took longer than ten minutes. ${AGAIN}`,
  other_browser: `This sign-on was begun in another browser. ${AGAIN}`,
  mixed_up: `This reply belongs to a sign-on by another provider. ${AGAIN}`,
  other_user:
    'Another user is logged in than the one who began to link this identity. Log in again and link it under Account, Security.',
  denied: `The provider did not let you in. ${AGAIN}`,
  code_refused: `The provider refused the code of this sign-on. ${AGAIN}`,
  invalid_response: `The provider’s reply does not belong to this sign-on, or its signature, issuer or time is wrong. ${AGAIN}`,
  provider_failed:
    'The identity provider does not reply, or refuses this gateway’s settings. Try again in a moment; the operator finds the reason in the log.',
  groups_left_out:
    'You are in more groups than the provider sends, so your memberships are unknown. Ask the operator to use app roles instead of groups, or to limit the groups that the provider sends.',
  no_address:
    'The provider sent no e-mail address. Ask the operator to add the scope or claim "email", or make your address public to the application.',
  address_unverified:
    'The provider does not confirm that the e-mail address is yours. If you have a login here, log in with it and link this identity under Account, Security.',
  address_taken:
    'The e-mail address belongs to a login that this identity is not linked to. Log in with that login, and link this identity under Account, Security.',
  sign_up_closed:
    'No login belongs to this identity, and this provider makes none. Log in and link it under Account, Security, or ask the operator for access.',
  sign_up_refused: 'No login can be made for this identity.',
  user_disabled: 'This login is disabled. Ask the operator.',
  not_in_directory:
    'The company’s directory has not entered you here yet. Ask its administrators to assign you to this application, and try again later.',
  removed_from_directory: 'The company’s directory has removed you here. Ask its administrators.',
  linked_elsewhere:
    'This identity is linked to another login. Log in with that one and unlink it first.',
  login_changed: `The login was changed in the meantime. ${AGAIN}`,
};

/**
 * A sign-on that is refused. It is thrown, so that the transaction is rolled back wherever it is
 * found; the handler notes it in the audit log.
 */
export class SignOnRefused extends Error {
  readonly reason: Reason;
  readonly refusal: Refusal;
  /** For the audit log and the log: what the provider or the library said. Never a secret. */
  readonly detail: string | undefined;

  constructor(
    reason: Reason,
    options: { readonly detail?: string; readonly refusal?: Refusal } = {},
  ) {
    super(reason);
    this.reason = reason;
    this.detail = options.detail;
    const code: ErrorCode =
      reason === 'provider_failed' ? 'sign_on_unavailable' : 'sign_on_refused';
    this.refusal = options.refusal ?? refuse(code, MESSAGES[reason]);
  }
}
