import { REDIS_COMMANDS, REDIS_CLUSTER_COMMANDS } from '../../gateway/stores/redis/rights.ts';

/** One odd way to set up Redis. */
export interface RedisRow {
  readonly what: string;
  /** Settings of redis.conf. */
  readonly config?: Readonly<Record<string, string>>;
  /** The password of the default user. */
  readonly password?: string;
  /** Rules of the user "weir", whom REDIS_URL then names. */
  readonly rules?: readonly string[];
  /** Behind the address. */
  readonly path?: string;
  /** Users and passwords of REDIS_URL other than the right ones. */
  readonly credentials?: string;
  /** The sentence with which the start is refused; none: it serves. */
  readonly refused?: RegExp;
  /** Also in the short test. */
  readonly quick?: boolean;
}

const OWN = ['~{p*', ...REDIS_COMMANDS.map((command) => `+${command}`)];
const ALL = ['~*', '&*', '+@all'];

/** Refused with the rule that grants what is missing. */
function forbids(rule: string, options: Partial<RedisRow> = {}): RedisRow {
  return {
    what: `the user may do all but ${rule}`,
    rules: [...ALL, rule],
    refused: /Redis forbids its user "weir".*Run: redis-cli ACL SETUSER weir '~\{p\*' .*\+fcall/,
    ...options,
  };
}

const allows = (rule: string): RedisRow => ({
  what: `the user may do all but ${rule}`,
  rules: [...ALL, rule],
});

export const REDIS_ROWS: readonly RedisRow[] = [
  { what: 'nothing odd', quick: true },
  {
    what: 'the user has the rights of the documentation, without INFO and CONFIG',
    rules: OWN,
    quick: true,
  },
  {
    what: 'and those of a cluster, INFO and CONFIG',
    rules: [
      ...OWN,
      ...['info', 'config|get', ...REDIS_CLUSTER_COMMANDS].map((command) => `+${command}`),
    ],
  },
  // Also those that only rare paths need.
  ...REDIS_COMMANDS.map((command) => forbids(`-${command}`)),
  forbids('-@scripting', { quick: true }),
  forbids('-@write'),
  forbids('-@stream'),
  forbids('-@slow'),
  allows('-@dangerous'),
  allows('-@admin'),
  allows('-@pubsub'),
  allows('-@blocking'),
  allows('-@transaction'),
  allows('-@geo'),
  {
    what: 'the user has keys of another prefix',
    rules: ['~weir:*', '+@all'],
    refused: /Redis forbids its user "weir".*'~\{p\*'/,
    quick: true,
  },
  {
    what: 'the user may only read the keys',
    rules: ['%R~{p*', '+@all'],
    refused: /Redis forbids its user "weir"/,
  },
  {
    what: 'the user may use no channel of Pub/Sub',
    rules: ['~{p*', 'resetchannels', '+@all'],
  },
  {
    what: 'REDIS_URL has a wrong password',
    rules: ALL,
    credentials: 'weir:wrong@',
    refused: /Redis (cannot be used|refuses).*WRONGPASS/,
    quick: true,
  },
  {
    what: 'REDIS_URL has no password, and the default user has one',
    password: 'secret',
    credentials: '',
    refused: /NOAUTH.*Write its user and password into REDIS_URL/,
    quick: true,
  },
  {
    what: 'the default user has a password',
    password: 'secret',
    credentials: ':secret@',
  },
  { what: 'the database has the number 3', path: '/3', quick: true },
  {
    what: 'the database number is beyond the last',
    path: '/99',
    refused: /DB index is out of range.*Write a database number below "databases"/,
    quick: true,
  },
  {
    what: 'the database number is no number',
    path: '/weir',
    refused: /REDIS_URL: "weir" is not the number of a database/,
    quick: true,
  },
  ...['FCALL', 'EVALSHA', 'EVAL', 'FUNCTION', 'XADD'].map((command) => ({
    what: `${command} has another name`,
    config: { 'rename-command': `${command} other` },
    refused: /unknown (redis )?command.*Take the rename-command of it out of redis.conf/i,
    quick: command === 'FCALL',
  })),
  { what: 'CONFIG has another name', config: { 'rename-command': 'CONFIG other' } },
  {
    what: 'INFO has another name',
    config: { 'rename-command': 'INFO other' },
    refused: /Redis (cannot be used|refuses).*unknown command/i,
  },
  { what: 'it may evict keys', config: { 'maxmemory-policy': 'allkeys-lru' } },
  {
    what: 'it is a replica',
    config: { replicaof: '127.0.0.1 1', 'replica-serve-stale-data': 'yes' },
    refused: /READONLY.*write the address of its primary/,
    quick: true,
  },
  {
    what: 'it has too few replicas to take writes',
    config: { 'min-replicas-to-write': '1' },
    refused: /NOREPLICAS.*CONFIG SET min-replicas-to-write 0/,
  },
  {
    what: 'its memory is full',
    config: { maxmemory: '1' },
    refused: /OOM.*raise maxmemory/,
  },
  {
    what: 'it is a node of a cluster that has not formed',
    config: { 'cluster-enabled': 'yes', 'cluster-port': '0' },
    refused: /CLUSTERDOWN|MOVED/,
  },
];
