import ipaddr from 'ipaddr.js';
import { accountPricesOf, type AccountPrices } from '../../catalog/account-prices.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Memberships } from '../../catalog/memberships.ts';
import { membersJson } from '../../platform/json/json-value.ts';
import { readAddress } from '../../platform/network/address.ts';
import type { Budget, Payer } from '../../ledger/ledger.ts';
import type { KeyRow } from './key-row.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * The sender of a request: a key, its account and its group, with everything that later steps read.
 */
export class Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly groupId: string;
  readonly memberships: Memberships;
  /** Null for an account without prices of its own. */
  readonly accountPrices: AccountPrices | null;
  readonly memberGone: boolean;
  readonly teamMayUse: boolean;
  /** Its requests and replies are recorded, unless the operator forbids it. */
  readonly keepsContent: boolean;
  readonly isLogin: boolean;
  /** The first letters of the key, which the console shows and a log line may have. */
  readonly keyPrefix: string;
  /** The key as members of a log line. Built once, since each of its requests writes a line. */
  readonly logged: string;
  /** The rest of who it is, for the request history. */
  readonly recorded: string;
  readonly #ranges: readonly Range[];
  readonly #models: ReadonlySet<string> | null;
  readonly #terms: Omit<Payer, 'group'>;
  #payer: Payer | undefined;
  #payerCatalogVersion = -1;

  constructor(row: KeyRow) {
    this.keyId = row.keyId;
    this.accountId = row.accountId;
    this.groupId = row.groupId;
    this.memberships = membershipsOf(row);
    this.accountPrices = accountPricesOf(row.accountPrices);
    this.memberGone = row.memberGone;
    this.teamMayUse = row.teamMayUse;
    this.keepsContent = row.keepsContent;
    this.isLogin = row.isLogin;
    this.keyPrefix = row.prefix;
    this.logged = membersJson({ keyPrefix: this.keyPrefix, accountId: this.accountId });
    this.recorded = `,${membersJson({ keyId: this.keyId, groupId: this.groupId })}`;
    this.#ranges = row.ipAllowlist.map((range) =>
      ipaddr.isValid(range)
        ? [ipaddr.process(range), ipaddr.process(range).kind() === 'ipv4' ? 32 : 128]
        : ipaddr.parseCIDR(range),
    );
    this.#models = row.modelAllowlist.length === 0 ? null : new Set(row.modelAllowlist);
    const { shares } = row;
    this.#terms = {
      account: {
        id: row.accountId,
        status: row.accountStatus,
        concurrencyMax: row.accountConcurrencyMax,
        preference: row.preference,
        ...(shares && { budgets: shares.accountBudgets, calendar: shares.calendar }),
      },
      key: {
        id: row.keyId,
        status: row.status,
        expiresAtMs: row.expiresAtMs,
        budgets: budgets(row),
        rpm: row.rpm,
        tpm: row.tpm,
        concurrencyMax: row.concurrencyMax,
      },
      subscriptions: row.subscriptions,
      ...(shares && { team: shares.team, member: shares.member }),
    };
  }

  /** Returns the payer with the group's current limits. Built once per catalog version. */
  payer(catalog: Catalog): Payer {
    if (this.#payer === undefined || this.#payerCatalogVersion !== catalog.version) {
      const group = catalog.group(this.groupId);
      this.#payer = {
        ...this.#terms,
        group: { id: this.groupId, rpm: group?.rpm ?? null, tpm: group?.tpm ?? null },
      };
      this.#payerCatalogVersion = catalog.version;
    }
    return this.#payer;
  }

  get limitsAddresses(): boolean {
    return this.#ranges.length > 0;
  }

  allowsAddress(address: string): boolean {
    if (this.#ranges.length === 0) return true;
    const parsed = readAddress(address);
    if (parsed === undefined) return false;
    return this.#ranges.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits]),
    );
  }

  allowsModel(publicId: string): boolean {
    return this.#models?.has(publicId) ?? true;
  }
}

/** Most accounts were given no group: they share one empty map. */
const NO_MEMBERSHIPS: Memberships = new Map();

function membershipsOf({ memberships }: KeyRow): Memberships {
  if (memberships.length === 0) return NO_MEMBERSHIPS;
  return new Map(memberships.map((membership) => [membership.groupId, membership]));
}

function budgets(row: KeyRow): Budget[] {
  const limits = { total: row.budgetTotal, day: row.budgetDay, month: row.budgetMonth } as const;
  return (['total', 'day', 'month'] as const).flatMap((period) => {
    const limitNanoUsd = limits[period];
    return limitNanoUsd === null ? [] : [{ period, limitNanoUsd }];
  });
}
