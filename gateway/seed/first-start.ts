import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { addCredit } from '../control-plane/credits/add-credit.ts';
import { createUser } from '../control-plane/users/create-user.ts';
import { hashPassword } from '../control-plane/users/password-hash.ts';
import { newRequestId } from '../platform/ids/request-id.ts';
import { ConfigError, type Config } from '../platform/config/config.ts';
import { generateKey, hasCheckLetters, keyDigest, keyPrefix } from '../platform/secrets/api-key.ts';
import { seal, type Secrets } from '../platform/secrets/secrets.ts';
import { FIRST_KEY_GROUP } from '../pricing/price-list.ts';
import type { EnteredCredential } from '../providers/minting.ts';
import { providerOf } from '../providers/registry.ts';
import { planCatalog } from './plan-catalog.ts';
import { seedCatalog, type SeedCatalog } from './seed-catalog.ts';

/** Any number; all processes that start on one database must agree on it. */
const FIRST_START_LOCK = 4_951_723_302;

/** 18 random bytes: 144 bits in 24 characters. */
const PASSWORD_BYTES = 18;

const NOT_EMPTY = `
  select exists (select from users) or exists (select from groups) or exists (select from models)
    or exists (select from channels) as "notEmpty"`;

const INSERT_KEY = `
  insert into keys (id, account_id, group_id, name, digest, prefix, has_check_letters)
  select $1, $2, id, 'First key', $3, $4, $6 from groups where name = $5`;

export interface FirstStartOptions {
  readonly config: Pick<
    Config,
    | 'bootstrapAdminEmail'
    | 'bootstrapAdminPassword'
    | 'bootstrapApiKey'
    | 'bootstrapCreditUsd'
    | 'upstreamBaseUrl'
    | 'upstreamKind'
    | 'upstreamProtocols'
    | 'upstreamApiKey'
    | 'upstreamModels'
    | 'role'
  >;
  readonly secrets: Secrets;
  /**
   * Keeps a generated key before it is written to the database, and may answer one that was kept
   * before.
   */
  readonly keepKey: (generated: string) => string;
}

/** The key and user that a first start made, to be shown once. */
export interface FirstStart {
  readonly adminEmail: string;
  /** Null when the operator gave it. */
  readonly generatedPassword: string | null;
  readonly apiKey: string;
  /**
   * Models that UPSTREAM_MODELS names and the price list does not: billed like the most expensive
   * that it has.
   */
  readonly unlistedModels: readonly string[];
  /** False when nothing serves the models yet. */
  readonly hasChannel: boolean;
}

/**
 * Fills an empty database: groups, models with prices, a channel, the administrator with an
 * account, its credit, and the first key. In one transaction, and once even when several processes
 * start together. Null when the database was not empty.
 */
export async function firstStart(
  pool: pg.Pool,
  options: FirstStartOptions,
): Promise<FirstStart | null> {
  if (await isInUse(pool)) return null;
  const password = options.config.bootstrapAdminPassword ?? generatePassword();
  const passwordHash = await hashPassword(password);
  if (typeof passwordHash !== 'string') throw new Error(passwordHash.message);
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [FIRST_START_LOCK]);
    const made = (await isInUse(client)) ? null : await fill(client, options, passwordHash);
    await client.query('commit');
    broken = false;
    if (made === null) return null;
    const given = options.config.bootstrapAdminPassword !== null;
    return { ...made, generatedPassword: given ? null : password };
  } finally {
    // A connection given up in the middle of a transaction is rolled back by the server.
    client.release(broken);
  }
}

async function isInUse(db: Pick<pg.Pool, 'query'> | pg.PoolClient): Promise<boolean> {
  const { rows } = await db.query<{ notEmpty: boolean }>(NOT_EMPTY);
  return rows[0]?.notEmpty === true;
}

async function fill(
  client: pg.PoolClient,
  { config, secrets, keepKey }: FirstStartOptions,
  passwordHash: string,
): Promise<Omit<FirstStart, 'generatedPassword'>> {
  const plan = planCatalog(config.upstreamModels, config.upstreamKind);
  const upstream = firstUpstream(config, secrets);
  await seedCatalog(client, { models: plan.models, upstream });
  const adminEmail = config.bootstrapAdminEmail.toLowerCase();
  const { accountId } = await createUser(client, {
    email: adminEmail,
    accountName: 'Administrator',
    passwordHash,
    role: 'admin',
    mustVerifyEmail: false,
    language: null,
  });
  if (config.bootstrapCreditUsd > 0) {
    await addCredit(client, {
      entryId: `bootstrap:${accountId}`,
      accountId,
      amountNanoUsd: config.bootstrapCreditUsd,
      kind: 'bootstrap',
      reason: 'First start',
      actor: 'system',
    });
  }
  const apiKey = config.bootstrapApiKey ?? keepKey(generateKey(secrets).key);
  const digest = keyDigest(secrets, apiKey);
  await client.query(INSERT_KEY, [
    newRequestId(Date.now()),
    accountId,
    digest,
    keyPrefix(apiKey),
    FIRST_KEY_GROUP,
    hasCheckLetters(secrets, apiKey),
  ]);
  return {
    adminEmail,
    apiKey,
    unlistedModels: plan.unlisted,
    hasChannel: upstream !== null,
  };
}

/**
 * A process that runs everything is alone in running the demo upstream: of others no one would
 * serve its channel.
 */
function firstUpstream(
  config: FirstStartOptions['config'],
  secrets: Secrets,
): SeedCatalog['upstream'] {
  const { upstreamBaseUrl, upstreamKind, upstreamProtocols, upstreamApiKey, role } = config;
  if (upstreamBaseUrl === null) return role === 'all' ? 'demo' : null;
  const credential = upstreamApiKey === null ? null : readCredential(upstreamKind, upstreamApiKey);
  return {
    kind: upstreamKind,
    baseUrl: upstreamBaseUrl,
    protocols: upstreamProtocols.length === 0 ? null : upstreamProtocols,
    sealedCredential: credential === null ? null : seal(secrets, credential.secret),
    credentialHint: credential?.hint ?? upstreamApiKey?.slice(-4) ?? '',
  };
}

function readCredential(kind: Config['upstreamKind'], text: string): EnteredCredential {
  const read = providerOf(kind).minting?.read(text) ?? { secret: text };
  if ('mistake' in read) throw new ConfigError(`UPSTREAM_API_KEY: ${read.mistake}`);
  return read;
}

function generatePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
