import { baseAddressMistake } from '@weir/shared/catalog/base-address';
import { isOpenaiLike } from '@weir/shared/catalog/channels';
import { redactSecrets } from '@weir/shared/redact-secrets';
import { isSentAsItIs, textFault, trimPasted } from '@weir/shared/api/text-faults';
import { SETTINGS } from './settings.ts';
import type { InvalidSetting, Setting } from './setting.ts';

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>;

type SettingName = keyof typeof SETTINGS;

/**
 * The validated configuration: one property per environment variable, GATEWAY_THREADS as
 * gatewayThreads. Frozen.
 */
export type Config = {
  readonly [Name in SettingName as CamelCase<Name>]: (typeof SETTINGS)[Name] extends Setting<
    infer Value
  >
    ? Value
    : never;
};

/**
 * A start that must not happen. The message names the variable, the problem and the fix; one line
 * per problem.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function isInvalid(value: unknown): value is InvalidSetting {
  return typeof value === 'object' && value !== null && 'invalid' in value;
}

/**
 * Reads, checks and freezes the configuration. Throws a ConfigError that lists every problem at
 * once.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    // Most programs that read the names of proxies read them in small letters, too.
    const given = env[name] ?? (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined);
    const raw = trimmed(setting, given ?? '');
    const fault = setting.characters === 'opaque' ? undefined : textFault(raw, setting.characters);
    if (fault !== undefined) {
      problems.push(`${name}: ${fault}${name === 'SECRET_KEY' ? SECRET_KEY_IN_USE : ''}`);
      continue;
    }
    const value = raw === '' ? setting.fallback : setting.read(raw);
    if (isInvalid(value)) {
      const shown = setting.secret ? 'its value' : `"${raw}"`;
      // A key may have been put into the wrong variable.
      problems.push(redactSecrets(`${name}: ${shown} ${value.invalid}.`));
      continue;
    }
    values[camelCase(name)] = value;
  }
  // Every setting has been read, so the record has every property of Config.
  const config = values as Config;
  if (problems.length === 0) problems.push(...CROSS_CHECKS.flatMap((check) => check(config)));
  if (problems.length > 0) {
    throw new ConfigError(`Weir cannot start with this configuration.\n${problems.join('\n')}`);
  }
  return Object.freeze(config);
}

/**
 * Trims white space. A value that is sent literally also loses what pasting adds; in an encryption
 * key each such character counts.
 */
function trimmed({ characters }: Setting<unknown>, text: string): string {
  const isPasted = characters !== 'opaque' && isSentAsItIs(characters);
  return isPasted ? trimPasted(text) : text.trim();
}

/** Otherwise an installation that has begun with such a key could not be started again. */
const SECRET_KEY_IN_USE =
  ' If this installation has used it, keep it as SECRET_KEY_PREVIOUS and set another SECRET_KEY.';

const SECRET_KEY_CHARACTERS_MIN = 32;

function secretKeyIsLongEnough({ secretKey }: Config): string[] {
  if (secretKey === null || secretKey.length >= SECRET_KEY_CHARACTERS_MIN) return [];
  return [
    `SECRET_KEY: has ${secretKey.length} characters; write at least ${SECRET_KEY_CHARACTERS_MIN}, for example the output of "openssl rand -hex 32".`,
  ];
}

/**
 * Two gateways on one database that each generated a key of their own would not know each other's
 * keys.
 */
function secretKeyIsGivenWithDatabase({ secretKey, databaseUrl }: Config): string[] {
  if (databaseUrl === null || secretKey !== null) return [];
  return [
    'SECRET_KEY: is not set but DATABASE_URL is; set it to the output of "openssl rand -hex 32" and keep it.',
  ];
}

/** The embedded database lives inside one process, which therefore has to run everything. */
function rolesNeedStores({ role, databaseUrl }: Config): string[] {
  if (role === 'all' || databaseUrl !== null) return [];
  return [
    `ROLE: "${role}" needs DATABASE_URL, because the embedded database serves one process only.`,
  ];
}

/** A hold that expired while its settle is still waited for would be settled late every time. */
function holdOutlivesSettle({ holdTtlMs, settleWaitMs, ledgerTimeoutMs }: Config): string[] {
  const needed = 2 * (settleWaitMs + ledgerTimeoutMs);
  if (holdTtlMs > needed) return [];
  return [
    `HOLD_TTL_MS: ${holdTtlMs} is too short; write more than 2 x (SETTLE_WAIT_MS + LEDGER_TIMEOUT_MS) = ${needed}.`,
  ];
}

/** The longest a channel may take, after which no hold of a request is renewed any more. */
const REQUEST_MS_MAX = 3_600_000;

/**
 * In Redis a hold lives in what is kept for that memory: forgotten before its request is over, its
 * money would never come back.
 */
function memoryOutlivesHolds({ closedRequestMemoryMs, holdTtlMs }: Config): string[] {
  const needed = REQUEST_MS_MAX + holdTtlMs;
  if (closedRequestMemoryMs > needed) return [];
  return [
    `CLOSED_REQUEST_MEMORY_MS: ${closedRequestMemoryMs} is too short; write more than an hour and HOLD_TTL_MS = ${needed}.`,
  ];
}

/**
 * A sender may have half of all the room at most; a body that is allowed by itself would be refused
 * every time.
 */
function roomTakesLargestBody({
  requestBodyMemoryBytesMax,
  requestBodyBytesMax,
}: Config): string[] {
  const needed = 2 * requestBodyBytesMax;
  if (requestBodyMemoryBytesMax >= needed) return [];
  return [
    `REQUEST_BODY_MEMORY_BYTES_MAX: ${requestBodyMemoryBytesMax} is too small; write at least 2 x REQUEST_BODY_BYTES_MAX = ${needed}.`,
  ];
}

/** The same of forms with files. */
function diskTakesLargestUpload({ uploadDiskBytesMax, uploadBytesMax }: Config): string[] {
  const needed = 2 * uploadBytesMax;
  if (uploadDiskBytesMax >= needed) return [];
  return [
    `UPLOAD_DISK_BYTES_MAX: ${uploadDiskBytesMax} is too small; write at least 2 x UPLOAD_BYTES_MAX = ${needed}.`,
  ];
}

/** Requests that came last need time as well. */
function delayIsWithinGrace({ shutdownDelayMs, shutdownGraceMs }: Config): string[] {
  if (shutdownDelayMs === 0 || shutdownDelayMs < shutdownGraceMs) return [];
  return [
    `SHUTDOWN_DELAY_MS: ${shutdownDelayMs} is too long; write less than SHUTDOWN_GRACE_MS = ${shutdownGraceMs}.`,
  ];
}

function portsDiffer({ port, adminPort, role }: Config): string[] {
  if (role === 'admin' || port === 0 || port !== adminPort) return [];
  return [`ADMIN_PORT: is the same as PORT (${port}); write another port.`];
}

function upstreamIsComplete(config: Config): string[] {
  if (config.upstreamBaseUrl !== null) return [];
  const set = [
    config.upstreamApiKey === null ? '' : 'UPSTREAM_API_KEY',
    config.upstreamModels.length === 0 ? '' : 'UPSTREAM_MODELS',
    config.upstreamKind === 'openai' ? '' : 'UPSTREAM_KIND',
    config.upstreamProtocols.length === 0 ? '' : 'UPSTREAM_PROTOCOLS',
  ].filter((name) => name !== '');
  if (set.length === 0) return [];
  return [`UPSTREAM_BASE_URL: is not set but ${set.join(' and ')} is; set it too.`];
}

/** Every request would go to a path that does not exist, or that speaks something else. */
function upstreamIsBaseAddress({ upstreamBaseUrl, upstreamKind }: Config): string[] {
  if (upstreamBaseUrl === null) return [];
  const mistake = baseAddressMistake(upstreamKind, upstreamBaseUrl);
  return mistake === undefined ? [] : [`UPSTREAM_BASE_URL: "${upstreamBaseUrl}" ${mistake}`];
}

/** The other kinds have one protocol each. */
function upstreamHasProtocols({ upstreamKind, upstreamProtocols }: Config): string[] {
  if (upstreamProtocols.length === 0 || isOpenaiLike(upstreamKind)) return [];
  return [
    `UPSTREAM_PROTOCOLS: is for UPSTREAM_KIND openai and azure; leave it out for ${upstreamKind}.`,
  ];
}

const CROSS_CHECKS: readonly ((config: Config) => string[])[] = [
  secretKeyIsLongEnough,
  secretKeyIsGivenWithDatabase,
  rolesNeedStores,
  holdOutlivesSettle,
  memoryOutlivesHolds,
  roomTakesLargestBody,
  diskTakesLargestUpload,
  delayIsWithinGrace,
  portsDiffer,
  upstreamIsComplete,
  upstreamIsBaseAddress,
  upstreamHasProtocols,
];
