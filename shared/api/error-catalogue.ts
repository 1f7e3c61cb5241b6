/**
 * Every failure that Weir returns, on the data plane and in the admin API. A code is stable:
 * clients, the console and tests match on it. The message that reaches a person is made where the
 * failure is found, because only there is known what to do about it; `title` is its short, general
 * form.
 *
 * Statuses never tempt an SDK into a useless retry: official SDKs retry 408, 409, 429 and 5xx.
 */
export interface CatalogueEntry {
  readonly status: number;
  /** The `type` of an OpenAI-style error body. */
  readonly type:
    | 'invalid_request_error'
    | 'authentication_error'
    | 'permission_error'
    | 'insufficient_quota'
    | 'rate_limit_error'
    | 'upstream_error'
    | 'server_error';
  readonly title: string;
}

function entry(status: number, type: CatalogueEntry['type'], title: string): CatalogueEntry {
  return { status, type, title };
}

export const ERROR_CATALOGUE = {
  // Request
  invalid_json: entry(400, 'invalid_request_error', 'The body is not valid JSON.'),
  invalid_type: entry(400, 'invalid_request_error', 'A field has the wrong type.'),
  invalid_value: entry(400, 'invalid_request_error', 'A field has a value that is not supported.'),
  missing_required_parameter: entry(400, 'invalid_request_error', 'A required field is missing.'),
  context_length_exceeded: entry(
    400,
    'invalid_request_error',
    'The prompt is too long for the model.',
  ),
  content_policy_violation: entry(
    400,
    'invalid_request_error',
    'The prompt violates the content policy of the upstream.',
  ),
  method_not_supported: entry(
    405,
    'invalid_request_error',
    'The path does not support this method.',
  ),
  unknown_url: entry(404, 'invalid_request_error', 'No such path.'),
  websocket_not_supported: entry(
    426,
    'invalid_request_error',
    'The path is not served over WebSocket.',
  ),
  request_too_large: entry(413, 'invalid_request_error', 'The body is larger than the limit.'),
  unsupported_media_type: entry(415, 'invalid_request_error', 'The body must be application/json.'),
  request_timeout: entry(408, 'invalid_request_error', 'The request body did not arrive in time.'),

  // Authentication
  missing_api_key: entry(401, 'authentication_error', 'No API key was sent.'),
  invalid_api_key: entry(401, 'authentication_error', 'The API key is malformed or unknown.'),
  api_key_disabled: entry(401, 'authentication_error', 'The API key is disabled.'),
  api_key_expired: entry(401, 'authentication_error', 'The API key has expired.'),
  membership_ended: entry(
    403,
    'permission_error',
    'The member of this API key has left the account.',
  ),
  account_suspended: entry(403, 'permission_error', 'The account is suspended.'),
  ip_not_allowed: entry(403, 'permission_error', 'The API key may not be used from this address.'),

  // Models
  model_not_found: entry(404, 'invalid_request_error', 'No such model.'),
  model_not_allowed: entry(403, 'permission_error', 'The API key may not use this model.'),
  unsupported_endpoint: entry(
    400,
    'invalid_request_error',
    'The model is not served at this path.',
  ),
  group_disabled: entry(403, 'permission_error', 'The model group of this API key is disabled.'),
  group_not_allowed: entry(
    403,
    'permission_error',
    'The account may not use the model group of this API key.',
  ),
  protocol_not_allowed: entry(
    403,
    'permission_error',
    'The model group of this API key is for other tools.',
  ),

  // Money
  insufficient_balance: entry(
    402,
    'insufficient_quota',
    'The balance does not cover this request.',
  ),
  account_budget_exceeded: entry(
    402,
    'insufficient_quota',
    'The budget of the account is used up.',
  ),
  team_budget_exceeded: entry(402, 'insufficient_quota', 'The budget of the team is used up.'),
  member_budget_exceeded: entry(402, 'insufficient_quota', 'The budget of the member is used up.'),
  key_budget_exceeded: entry(402, 'insufficient_quota', 'The budget of the API key is used up.'),

  // Rates
  rate_limit_exceeded: entry(429, 'rate_limit_error', 'Too many requests.'),
  token_rate_limit_exceeded: entry(429, 'rate_limit_error', 'Too many tokens.'),
  concurrency_limit_exceeded: entry(429, 'rate_limit_error', 'Too many requests at once.'),

  // Upstream
  upstream_error: entry(502, 'upstream_error', 'The upstream failed.'),
  unsupported_parameter: entry(400, 'invalid_request_error', 'The model has no such parameter.'),
  unsupported_value: entry(400, 'invalid_request_error', 'The model does not accept this value.'),
  upstream_rejected: entry(400, 'invalid_request_error', 'The upstream refused the request.'),
  upstream_rate_limited: entry(429, 'rate_limit_error', 'The upstream is limiting requests.'),
  upstream_timeout: entry(504, 'upstream_error', 'The upstream did not answer in time.'),
  no_channel_available: entry(503, 'upstream_error', 'No upstream serves this model right now.'),

  // Weir itself
  overloaded: entry(503, 'server_error', 'Weir is overloaded.'),
  ledger_unavailable: entry(503, 'server_error', 'The ledger cannot be reached.'),
  shutting_down: entry(503, 'server_error', 'This instance is shutting down.'),
  internal_error: entry(500, 'server_error', 'Something broke inside Weir.'),
  // Admin API: who calls
  not_authenticated: entry(401, 'authentication_error', 'You are not logged in.'),
  invalid_credentials: entry(401, 'authentication_error', 'E-mail address or password is wrong.'),
  second_factor_required: entry(401, 'authentication_error', 'A one-time code is required.'),
  second_factor_invalid: entry(401, 'authentication_error', 'The one-time code is wrong.'),
  invalid_access_token: entry(
    401,
    'authentication_error',
    'The access token is unknown, revoked or expired.',
  ),
  role_required: entry(403, 'permission_error', 'Your role does not permit this.'),
  session_required: entry(403, 'permission_error', 'This needs a login, not an access token.'),
  scope_required: entry(403, 'permission_error', 'The access token may only read.'),
  cross_site_refused: entry(403, 'permission_error', 'The request came from another site.'),
  session_changed: entry(409, 'permission_error', 'Someone else is logged in now.'),
  registration_closed: entry(403, 'permission_error', 'Registration is closed.'),
  invitation_invalid: entry(
    403,
    'permission_error',
    'The invitation code is unknown, used up or expired.',
  ),
  captcha_failed: entry(400, 'invalid_request_error', 'The captcha was not solved.'),
  email_domain_refused: entry(
    403,
    'permission_error',
    'Addresses of this e-mail domain cannot be registered.',
  ),
  sign_on_refused: entry(403, 'permission_error', 'The sign-on was refused.'),
  sign_on_required: entry(403, 'permission_error', 'People of this domain sign on.'),
  sign_on_unavailable: entry(502, 'upstream_error', 'The identity provider failed.'),
  link_invalid: entry(400, 'invalid_request_error', 'The link is unknown, used or expired.'),

  // Admin API: resources
  not_found: entry(404, 'invalid_request_error', 'The resource does not exist.'),
  already_exists: entry(409, 'invalid_request_error', 'It already exists.'),
  in_use: entry(409, 'invalid_request_error', 'It is in use.'),
  state_conflict: entry(409, 'invalid_request_error', 'Its current state does not allow this.'),
  limit_reached: entry(409, 'invalid_request_error', 'The limit for these is reached.'),
  invalid_cursor: entry(400, 'invalid_request_error', 'The cursor does not belong to this list.'),
  precondition_required: entry(428, 'invalid_request_error', 'The If-Match header is required.'),
  precondition_failed: entry(412, 'invalid_request_error', 'It was changed in the meantime.'),
  idempotency_key_required: entry(
    400,
    'invalid_request_error',
    'The Idempotency-Key header is required.',
  ),
  idempotency_key_reused: entry(
    422,
    'invalid_request_error',
    'The Idempotency-Key was used for another request.',
  ),
  idempotency_in_progress: entry(
    409,
    'invalid_request_error',
    'The first request with this Idempotency-Key is still running.',
  ),

  // Admin API: money and upstreams
  code_unknown: entry(404, 'invalid_request_error', 'The code is unknown.'),
  code_redeemed: entry(409, 'invalid_request_error', 'The code was redeemed before.'),
  code_expired: entry(410, 'invalid_request_error', 'The code has expired.'),
  code_disabled: entry(410, 'invalid_request_error', 'The code is disabled.'),
  plan_unavailable: entry(409, 'invalid_request_error', 'The plan is not for sale.'),
  card_payments_unavailable: entry(501, 'server_error', 'Card payments are not configured.'),
  payment_service_failed: entry(502, 'upstream_error', 'The payment service failed.'),
  webhook_refused: entry(400, 'invalid_request_error', 'The webhook is not genuine.'),
  address_refused: entry(400, 'invalid_request_error', 'The address may not be called.'),
  credentials_bound: entry(409, 'invalid_request_error', 'The credentials are for another host.'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** True for refusals by a budget of account, team, member or key. */
export function isBudgetCode(code: string): boolean {
  return code.endsWith('_budget_exceeded');
}
