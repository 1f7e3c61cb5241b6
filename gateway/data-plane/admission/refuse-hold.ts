import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { BudgetRefusal, HoldOutcome, HoldRefusal, Payer } from '../../ledger/ledger.ts';
import { refusalByStatus, USAGE_BACKLOG } from '../../ledger/status.ts';
import { ledgerNowMs } from '../../platform/clock/store-clock.ts';
import type { AdmissionRequest } from './admit.ts';

export type RefusedHold = Exclude<HoldOutcome, { code: 'held' | 'exists' }>;

type MoneyRefusal = Extract<RefusedHold, { code: HoldRefusal }>;

/**
 * The balance, or a budget: either may cover the prompt as it is where it does not cover the bound.
 */
export type FundsRefusal = MoneyRefusal & {
  readonly code: 'insufficient_balance' | BudgetRefusal;
};

/** Retry-After when the ledger cannot decide: it is restarting, or its backlog is being drained. */
const LEDGER_RETRY_MS = 1_000;
/** Retry-After for concurrency, where a place may become free at any moment. */
const CONCURRENCY_RETRY_MS = 1_000;

const STATUS_REFUSALS = {
  account_suspended: refuse(
    'account_suspended',
    'This account is suspended. Ask the operator of this service.',
  ),
  key_disabled: refuse(
    'api_key_disabled',
    'This API key is disabled. Enable it on the console’s API Keys page or use another key.',
  ),
  key_expired: refuse(
    'api_key_expired',
    'This API key has expired. Create a new one on the console’s API Keys page.',
  ),
};

/** Refuses a payer by the status of account and key, where nothing is held for a request. */
export function refuseStatus(payer: Payer): Refusal | undefined {
  const code = refusalByStatus(payer, ledgerNowMs());
  return code === undefined ? undefined : STATUS_REFUSALS[code];
}

/** The parts of a request that a refusal may name. */
type RefusedRequest = Pick<
  AdmissionRequest,
  'offer' | 'maxOutputTokens' | 'outputLimitName' | 'payer'
>;

/**
 * Returns the refusal that a client gets for a refused hold.
 * @param affordableTokens the output limit that the balance covers, when known
 */
export function refuseHold(
  outcome: RefusedHold,
  request: RefusedRequest,
  affordableTokens: number | null,
): Refusal {
  switch (outcome.code) {
    case 'ledger_unavailable':
      return refuse(
        'ledger_unavailable',
        outcome.cause === USAGE_BACKLOG
          ? 'The backlog of usage records has reached its limit, so no new request is accepted. Nothing was charged; try again shortly.'
          : 'The ledger cannot be reached, so the request could not be paid for. Nothing was charged; try again shortly.',
        { retryAfterMs: LEDGER_RETRY_MS },
      );
    case 'account_suspended':
    case 'key_disabled':
    case 'key_expired':
      return STATUS_REFUSALS[outcome.code];
    case 'account_budget_exceeded':
    case 'team_budget_exceeded':
    case 'member_budget_exceeded':
    case 'key_budget_exceeded':
      return budgetExceeded(outcome.code, outcome);
    case 'key_concurrency_exceeded':
    case 'account_concurrency_exceeded':
      return refuse(
        'concurrency_limit_exceeded',
        `This ${outcome.code === 'key_concurrency_exceeded' ? 'API key' : 'account'} has the maximum number of requests in flight. Wait for one to finish.`,
        { retryAfterMs: outcome.retryAfterMs ?? CONCURRENCY_RETRY_MS },
      );
    case 'key_rpm_exceeded':
    case 'group_rpm_exceeded':
      return refuse(
        'rate_limit_exceeded',
        `Too many requests for this ${limited(outcome.code)}. Wait as long as Retry-After says.`,
        { retryAfterMs: outcome.retryAfterMs },
      );
    case 'key_tpm_exceeded':
    case 'group_tpm_exceeded':
      return tooManyTokens(outcome.code, outcome.retryAfterMs, request);
    case 'insufficient_balance':
      return insufficientBalance(outcome, request, affordableTokens);
    case 'request_closed':
      // The ledger takes ids of long ago for closed ones. A jump of its clock is known in a second.
      return refuse(
        'ledger_unavailable',
        'The clocks of this gateway and of its ledger differ, so the request could not be paid for. Nothing was charged; try again shortly.',
        { retryAfterMs: LEDGER_RETRY_MS },
      );
    case 'request_conflict':
      // Request ids are made here, once per request: the ledger cannot have seen this one.
      throw new Error(`the ledger answered ${outcome.code} to a new request id`);
  }
}

/**
 * Returns the refusal for a prompt that might fit if it were counted, which may not happen
 * before this time.
 */
export function refuseCount(outcome: FundsRefusal, payer: Payer, waitMs: number): Refusal {
  const money =
    outcome.code === 'insufficient_balance'
      ? fundsText(outcome, payer)
      : `What is left of ${BUDGETS[outcome.code].whose} budget (${decimalFromNanoUsd(outcome.affordableNanoUsd)} USD)`;
  return refuse(
    'rate_limit_exceeded',
    `${money} may not cover this prompt, and no more prompts of this account may be counted just now. Wait as long as Retry-After says, shorten the prompt, or add funds.`,
    { retryAfterMs: waitMs },
  );
}

/** The owner of each budget, and the people who can raise it. */
const BUDGETS: Readonly<Record<BudgetRefusal, { readonly whose: string; readonly raise: string }>> =
  {
    account_budget_exceeded: {
      whose: 'this account’s',
      raise: 'An owner or administrator of the account can raise it in the console',
    },
    team_budget_exceeded: {
      whose: 'your team’s',
      raise: 'An owner or administrator of the account can raise it in the console',
    },
    member_budget_exceeded: {
      whose: 'your own',
      raise: 'An owner or administrator of the account can raise it in the console',
    },
    key_budget_exceeded: {
      whose: 'this API key’s',
      raise: 'Raise it on the console’s API Keys page',
    },
  };

function budgetExceeded(
  code: BudgetRefusal,
  { affordableNanoUsd, retryAfterMs }: MoneyRefusal,
): Refusal {
  const { whose, raise } = BUDGETS[code];
  const subject = whose.charAt(0).toUpperCase() + whose.slice(1);
  const wait = retryAfterMs === null ? '' : ', or wait until it resets';
  return refuse(
    code,
    `${subject} budget does not cover the request; ${decimalFromNanoUsd(affordableNanoUsd)} USD are left. ${raise}${wait}.`,
  );
}

function limited(code: `${'key' | 'group'}_${string}`): string {
  return code.startsWith('key') ? 'API key' : 'model group';
}

/**
 * Admission asks for no more than a minute holds except for the prompt: what never fits is the
 * prompt's size.
 */
function tooManyTokens(
  code: 'key_tpm_exceeded' | 'group_tpm_exceeded',
  retryAfterMs: number | null,
  { payer: { key, group }, outputLimitName }: RefusedRequest,
): Refusal {
  const who = limited(code);
  const tpm = code === 'key_tpm_exceeded' ? key.tpm : group.tpm;
  return refuse(
    'token_rate_limit_exceeded',
    retryAfterMs === null
      ? `The prompt alone has more than the ${tpm} tokens a minute that this ${who} may use. Shorten it, or have the limit raised.`
      : `Too many tokens for this ${who}. Wait as long as Retry-After says, or lower ${outputLimitName}.`,
    { retryAfterMs },
  );
}

/**
 * Names what could have paid. A customer with a plan may have no balance at all, so what is left of
 * the plan is not called one.
 */
function fundsText({ affordableNanoUsd }: MoneyRefusal, { subscriptions }: Payer): string {
  const left = `${decimalFromNanoUsd(affordableNanoUsd)} USD`;
  return subscriptions.length === 0
    ? `The balance (${left} available)`
    : `What is left of your balance and plans (${left})`;
}

function insufficientBalance(
  outcome: MoneyRefusal,
  request: RefusedRequest,
  affordableTokens: number | null,
): Refusal {
  const funds = fundsText(outcome, request.payer);
  const { maxOutputTokens, outputLimitName: limit } = request;
  const { publicId } = request.offer.model;
  // The ledger knows a time only where a plan's next window would cover the request.
  const wait =
    outcome.retryAfterMs === null ? '' : ', or wait until your plan’s allowance starts again';
  const isNamed = maxOutputTokens !== null && maxOutputTokens !== Infinity;
  if (isNamed && affordableTokens !== null && affordableTokens > 0) {
    return refuse(
      'insufficient_balance',
      `${funds} does not cover ${limit} = ${maxOutputTokens} of ${publicId}. It covers ${limit} = ${affordableTokens}. Lower ${limit} or top up in the console${wait}.`,
      { param: limit },
    );
  }
  return refuse(
    'insufficient_balance',
    `${funds} does not cover this request to ${publicId}. Top up or activate a plan in the console${wait}.`,
  );
}
