import type { ChannelView } from '@weir/shared/catalog/channels';
import type { BalanceApi, BalanceCurrency } from '@weir/shared/prices/upstream-balances';

/** The balance of an account, in billionths of the currency. */
export interface Balance {
  readonly nano: number;
  readonly currency: BalanceCurrency;
}

/** One way to ask a vendor. The paths begin at the origin of the channel's base address. */
interface Question {
  readonly path: string;
  /** Undefined when the reply has no balance. */
  readonly read: (reply: unknown) => Balance | undefined;
}

interface Vendor {
  readonly hosts: readonly string[];
  /** The first that is answered counts; the others are for credentials that may not ask it. */
  readonly questions: readonly Question[];
}

const NANO_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d+))?$/;
const DECIMALS = 9;

/** A number or decimal text as billionths; what is smaller is cut off. */
function nanoOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? value.toFixed(DECIMALS) : value;
  const match = typeof text === 'string' ? AMOUNT.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const nano = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  if (nano > NANO_MAX) return undefined;
  return sign === '-' ? Number(-nano) : Number(nano);
}

/** The value at a path of names; undefined where there is none. */
function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined,
    value,
  );
}

function balance(value: unknown, currency: BalanceCurrency): Balance | undefined {
  const nano = nanoOf(value);
  return nano === undefined ? undefined : { nano, currency };
}

/** https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info */
function siliconflow(host: string, currency: BalanceCurrency): Vendor {
  const read = (reply: unknown) => balance(at(reply, 'data', 'totalBalance'), currency);
  return { hosts: [host], questions: [{ path: '/v1/user/info', read }] };
}

/** https://platform.moonshot.cn/docs/api/balance, https://platform.kimi.ai/docs/api/balance */
function moonshot(host: string, currency: BalanceCurrency): Vendor {
  const read = (reply: unknown) => balance(at(reply, 'data', 'available_balance'), currency);
  return { hosts: [host], questions: [{ path: '/v1/users/me/balance', read }] };
}

/** https://openrouter.ai/docs/api/api-reference/credits/get-credits: for management keys. */
function readCredits(reply: unknown): Balance | undefined {
  const bought = nanoOf(at(reply, 'data', 'total_credits'));
  const used = nanoOf(at(reply, 'data', 'total_usage'));
  if (bought === undefined || used === undefined) return undefined;
  return { nano: bought - used, currency: 'USD' };
}

/**
 * https://api-docs.deepseek.com/api/get-user-balance. An account may have several currencies;
 * DeepSeek lists the one that it bills in first.
 */
function readDeepseek(reply: unknown): Balance | undefined {
  const first = at(reply, 'balance_infos', '0');
  const currency = at(first, 'currency');
  if (currency !== 'USD' && currency !== 'CNY') return undefined;
  return balance(at(first, 'total_balance'), currency);
}

const VENDORS: Readonly<Record<BalanceApi, Vendor>> = {
  openrouter: {
    hosts: ['openrouter.ai'],
    questions: [
      { path: '/api/v1/credits', read: readCredits },
      // https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key: what is left of the
      // key's own limit, null where it has none.
      {
        path: '/api/v1/key',
        read: (reply) => balance(at(reply, 'data', 'limit_remaining'), 'USD'),
      },
    ],
  },
  deepseek: {
    hosts: ['api.deepseek.com'],
    questions: [{ path: '/user/balance', read: readDeepseek }],
  },
  // Two sites each, which bill in currencies of their own and do not say in which.
  siliconflow: siliconflow('api.siliconflow.com', 'USD'),
  'siliconflow-cn': siliconflow('api.siliconflow.cn', 'CNY'),
  moonshot: moonshot('api.moonshot.ai', 'USD'),
  'moonshot-cn': moonshot('api.moonshot.cn', 'CNY'),
  // https://novita.ai/docs/api-reference/basic-get-user-balance: in ten-thousandths of a dollar.
  novita: {
    hosts: ['api.novita.ai'],
    questions: [
      {
        path: '/openapi/v1/billing/balance/detail',
        read: (reply) => {
          const nano = nanoOf(at(reply, 'availableBalance'));
          return nano === undefined ? undefined : { nano: Math.trunc(nano / 1e4), currency: 'USD' };
        },
      },
    ],
  },
};

export function questionsOf(api: BalanceApi): readonly Question[] {
  return VENDORS[api].questions;
}

/** Returns how a channel's upstream is asked for its balance; undefined if it has no such API. */
export function balanceApiOf({
  balanceApi,
  baseUrl,
}: Pick<ChannelView, 'balanceApi' | 'baseUrl'>): BalanceApi | undefined {
  if (balanceApi === 'none') return undefined;
  if (balanceApi !== null) return balanceApi;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const known = Object.entries(VENDORS).find(([, { hosts }]) => hosts.includes(host));
  return known === undefined ? undefined : (known[0] as BalanceApi);
}
