import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../../gateway/platform/config/config.ts';
import { SETTINGS } from '../../../../gateway/platform/config/settings.ts';
import { sourceFiles } from '../../../support/sources/source-files.ts';

const DATABASE = {
  DATABASE_URL: 'postgres://weir@db/weir',
  SECRET_KEY: 'k'.repeat(32),
};

function problemOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

/** A value that each variable must refuse, and what its sentence must tell to write instead. */
const WRONG: Record<string, readonly [value: string, fix: RegExp]> = {
  PORT: ['8o80', /from 0 to 65535$/],
  ADMIN_PORT: ['65536', /from 0 to 65535$/],
  PUBLIC_URL: ['gateway.example.com', /http:\/\/ or https:\/\/$/],
  ADMIN_URL: ['ftp://example.com', /http:\/\/ or https:\/\/$/],
  DATABASE_URL: ['mysql://db', /postgres:\/\/ or postgresql:\/\/$/],
  REDIS_URL: ['localhost:6379', /redis:\/\/ or rediss:\/\/$/],
  ROLE: ['both', /one of all, gateway, admin$/],
  GATEWAY_THREADS: ['0', /from 1 to 256 threads$/],
  WORKER_THREADS: ['1.5', /from 1 to 256 threads$/],
  LOGIN_TOKEN_SECONDS: ['59', /from 60 to 604800 s$/],
  LOG_LEVEL: ['verbose', /one of trace, debug, info/],
  UNAUTHENTICATED_LOG_LINES_PER_SECOND: ['-1', /from 0 to 1000000 lines a second$/],
  REQUEST_LOG_ENTRIES_PER_SECOND: ['-1', /from 0 to 100000 entries a second$/],
  ALLOW_PRIVATE_UPSTREAMS: ['perhaps', /true or false$/],
  REUSE_CONNECTIONS: ['often', /true or false$/],
  TRUSTED_PROXY_HOPS: ['-1', /from 0 to 10 proxies$/],
  METRICS_TOKEN: ['short', /at least 16 characters without spaces$/],
  SMTP_URL: ['mail.example.com', /smtp:\/\/ or smtps:\/\/$/],
  MAIL_FROM: ['garbage', /weir@example\.com or Weir <weir@example\.com>$/],
  BOOTSTRAP_ADMIN_EMAIL: ['admin', /an e-mail address such as admin@example\.com$/],
  BOOTSTRAP_ADMIN_PASSWORD: ['short', /10 to 200 characters$/],
  BOOTSTRAP_API_KEY: ['sk-short', /"sk-" and 27 to 256 letters and digits$/],
  BOOTSTRAP_CREDIT_USD: ['-5', /such as 25 or 0\.5$/],
  UPSTREAM_BASE_URL: ['api.example.com', /http:\/\/ or https:\/\/$/],
  UPSTREAM_KIND: ['claude', /one of openai, anthropic, gemini, azure, bedrock, vertex$/],
  UPSTREAM_PROTOCOLS: [
    'openai-chat,responses',
    /some of openai-chat, .*openai-transcriptions, rerank$/,
  ],
  UPSTREAM_MODELS: ['gpt 5', /model IDs of letters, digits/],
  REQUEST_HEAD_BYTES_MAX: ['1024', /from 4096 to 1048576 bytes$/],
  REQUEST_BODY_BYTES_MAX: ['32MB', /from 1024 to 536870912 bytes$/],
  REQUEST_BODY_MEMORY_BYTES_MAX: ['256MB', /from 2048 to 68719476736 bytes$/],
  REQUEST_BODY_TIMEOUT_MS: ['30s', /from 100 to 600000 ms$/],
  UPLOAD_BYTES_MAX: ['1GB', /from 1024 to 17179869184 bytes$/],
  UPLOAD_TIMEOUT_MS: ['5m', /from 100 to 3600000 ms$/],
  UPLOAD_DISK_BYTES_MAX: ['8GB', /from 2048 to 1099511627776 bytes$/],
  CONTENT_LOG_DAYS_MAX: ['366', /from 0 to 365 days$/],
  CONTENT_LOG_BYTES_MAX: ['1024', /from 4096 to 8388608 bytes$/],
  CONTENT_LOG_ACCOUNT_DAY_BYTES_MAX: ['0', /from 1048576 to 1099511627776 bytes$/],
  CHOICES_MAX: ['0', /from 1 to 128 choices$/],
  WEBSOCKETS_MAX: ['-1', /from 0 to 1000000 connections$/],
  WEBSOCKETS_PER_ACCOUNT_MAX: ['0', /from 1 to 1000000 connections$/],
  WEBSOCKET_MEMORY_BYTES_MAX: ['1024', /from 1048576 to 68719476736 bytes$/],
  REALTIME_EVENT_BYTES_MAX: ['1024', /from 65536 to 67108864 bytes$/],
  REPLY_BODY_BYTES_MAX: ['1', /bytes$/],
  KEEP_ALIVE_COMMENT_MS: ['0', /from 100 to 60000 ms$/],
  HOLD_TTL_MS: ['999', /from 1000 to 86400000 ms$/],
  SETTLE_WAIT_MS: ['x', /from 0 to 10000 ms$/],
  STREAM_SLICE_TOKENS: ['15', /from 16 to 1000000 tokens$/],
  REASONING_SLICE_TOKENS: ['15', /from 16 to 1000000 tokens$/],
  LEDGER_TIMEOUT_MS: ['49', /from 50 to 60000 ms$/],
  CLOSED_REQUEST_MEMORY_MS: ['1', /ms$/],
  CLOCK_DIFFERENCE_MS_MAX: ['many', /from \d+ to \d+ ms$/],
  USAGE_BACKLOG_MAX: ['many', /from \d+ to \d+ records$/],
  KEY_CACHE_ENTRIES_MAX: ['15', /from 16 to 10000000 keys$/],
  POOL_QUEUE_MAX: ['0', /tasks$/],
  UPSTREAM_CONNECTIONS_MAX: ['0', /connections$/],
  HTTPS_PROXY: ['socks5://proxy:1080', /http:.*https:/],
  HTTP_PROXY: ['proxy:8080', /http:.*https:/],
  UPSTREAM_ATTEMPTS_MAX: ['11', /from 1 to 10 attempts$/],
  CHANGE_POLL_MS: ['1000', /from 50 to 900 ms$/],
  SHUTDOWN_GRACE_MS: ['-1', /from 0 to 3600000 ms$/],
  SHUTDOWN_DELAY_MS: ['soon', /from 0 to 600000 ms$/],
};

/** Any text is right for these. */
const FREE_TEXT = new Set([
  'HOST',
  'DATA_DIR',
  'SECRET_KEY_PREVIOUS',
  'UPSTREAM_API_KEY',
  'STRIPE_SECRET_KEY',
  'NO_PROXY',
  'STRIPE_WEBHOOK_SECRET',
  // Whether there is such a module shows when it is loaded.
  'UWS_MODULE',
]);

describe('the configuration', () => {
  it('needs nothing: every setting has a default', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, adminPort: 8081, role: 'all' });
    expect(config).toMatchObject({ databaseUrl: null, redisUrl: null, dataDir: './data' });
    expect(Object.keys(config)).toHaveLength(Object.keys(SETTINGS).length);
    expect(config.bootstrapCreditUsd).toBe(10_000_000_000);
  });

  it('has no setting that nothing reads', () => {
    const others = sourceFiles(['.ts'], ['gateway/']).filter(
      ({ path }) => !path.startsWith('gateway/platform/config/'),
    );
    const unread = Object.keys(loadConfig({})).filter(
      (name) => !others.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)),
    );
    expect(unread).toEqual([]);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });

  it('takes an empty variable for an unset one, and ignores spaces around values', () => {
    expect(loadConfig({ PORT: '', HOST: ' 0.0.0.0 ' })).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
    });
  });

  it('reads every form of value', () => {
    const config = loadConfig({
      ...DATABASE,
      ALLOW_PRIVATE_UPSTREAMS: 'Yes',
      UPSTREAM_BASE_URL: 'http://10.0.0.5/v1',
      UPSTREAM_MODELS: 'a/b, c:d ,,a/b',
      BOOTSTRAP_CREDIT_USD: '0.000000001',
      REDIS_URL: 'redis://a:1,b:2',
      ROLE: 'gateway',
    });
    expect(config).toMatchObject({
      allowPrivateUpstreams: true,
      upstreamModels: ['a/b', 'c:d'],
      bootstrapCreditUsd: 1,
      redisUrl: 'redis://a:1,b:2',
      role: 'gateway',
    });
  });

  const refusing = Object.keys(SETTINGS).filter((name) => !FREE_TEXT.has(name));
  it.each(refusing.filter((name) => name !== 'SECRET_KEY'))(
    'refuses a wrong %s with a sentence that says what to write',
    (name) => {
      const [value, fix] = WRONG[name] ?? ['', /no wrong value is listed for this setting/];
      const lines = problemOf({ [name]: value }).split('\n');
      expect(lines[0]).toBe('Weir cannot start with this configuration.');
      const line = lines.find((candidate) => candidate.startsWith(`${name}: `)) ?? '';
      expect(line.replace(/(, separated by commas)?\.$/, '')).toMatch(fix);
    },
  );

  it('names every wrong variable at once', () => {
    const problem = problemOf({ PORT: 'x', ROLE: 'y', LOG_LEVEL: 'z' });
    expect(problem.split('\n').slice(1)).toHaveLength(3);
  });

  it('never repeats a secret', () => {
    const secrets = {
      DATABASE_URL: 'mysql://user:hunter22@db',
      BOOTSTRAP_API_KEY: 'sk-hunter22',
      BOOTSTRAP_ADMIN_PASSWORD: 'hunter22',
      REDIS_URL: 'hunter22',
      SMTP_URL: 'hunter22',
    };
    const problem = problemOf(secrets);
    expect(problem.split('\n')).toHaveLength(6);
    expect(problem).not.toContain('hunter22');
  });

  it.each([
    ['a short SECRET_KEY', { SECRET_KEY: 'short' }, /^SECRET_KEY: has 5 characters.*openssl/],
    [
      'DATABASE_URL without SECRET_KEY',
      { DATABASE_URL: DATABASE.DATABASE_URL },
      /^SECRET_KEY: is not set but DATABASE_URL is/,
    ],
    ['a role that needs stores', { ROLE: 'gateway' }, /^ROLE: "gateway" needs DATABASE_URL/],
    [
      'closed requests that are forgotten while holds live',
      { CLOSED_REQUEST_MEMORY_MS: '3600000' },
      /^CLOSED_REQUEST_MEMORY_MS: 3600000 is too short; write more than an hour and HOLD_TTL_MS = /,
    ],
    [
      'holds that expire before they are settled',
      { HOLD_TTL_MS: '1000' },
      /^HOLD_TTL_MS: 1000 is too short; write more than .* = 4200/,
    ],
    [
      'room for bodies that is too small for the largest one',
      { REQUEST_BODY_MEMORY_BYTES_MAX: '33554432' },
      /^REQUEST_BODY_MEMORY_BYTES_MAX: 33554432 is too small; write at least .* = 67108864/,
    ],
    [
      'a shutdown that serves new requests until its very end',
      { SHUTDOWN_DELAY_MS: '5000', SHUTDOWN_GRACE_MS: '5000' },
      /^SHUTDOWN_DELAY_MS: 5000 is too long; write less than SHUTDOWN_GRACE_MS = 5000/,
    ],
    ['one port for two servers', { PORT: '9000', ADMIN_PORT: '9000' }, /^ADMIN_PORT: .*PORT/],
    [
      'one port for a gateway and its metrics',
      { ...DATABASE, ROLE: 'gateway', PORT: '9000', ADMIN_PORT: '9000' },
      /^ADMIN_PORT: .*PORT/,
    ],
    [
      'the full path as an upstream’s base address',
      { UPSTREAM_BASE_URL: 'https://api.example.com/v1/chat/completions' },
      /^UPSTREAM_BASE_URL: .* write "https:\/\/api\.example\.com\/v1"\.$/,
    ],
    [
      'the path of Messages as an upstream’s base address',
      { UPSTREAM_KIND: 'anthropic', UPSTREAM_BASE_URL: 'https://api.anthropic.com/v1/messages' },
      /^UPSTREAM_BASE_URL: .* write "https:\/\/api\.anthropic\.com"\.$/,
    ],
    [
      'an address of another kind of upstream',
      { UPSTREAM_KIND: 'anthropic', UPSTREAM_BASE_URL: 'https://api.openai.com/v1' },
      /^UPSTREAM_BASE_URL: .* is of OpenAI; set the kind "openai"/,
    ],
    [
      'protocols for an upstream that has only one',
      {
        UPSTREAM_KIND: 'gemini',
        UPSTREAM_BASE_URL: 'https://generativelanguage.googleapis.com',
        UPSTREAM_PROTOCOLS: 'openai-chat',
      },
      /^UPSTREAM_PROTOCOLS: is for UPSTREAM_KIND openai and azure; leave it out for gemini\.$/,
    ],
    [
      'a kind of no upstream',
      { UPSTREAM_KIND: 'gemini' },
      /^UPSTREAM_BASE_URL: is not set but UPSTREAM_KIND is; set it too\.$/,
    ],
    ['a key for no upstream', { UPSTREAM_API_KEY: 'x' }, /^UPSTREAM_BASE_URL: is not set but/],
  ])('refuses %s', (_what, env, sentence) => {
    expect(problemOf(env as Record<string, string>).split('\n')[1]).toMatch(sentence);
  });

  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com/v1',
    'https://api.example.com//v1//',
  ])('takes %s for the base address that it is', (address) => {
    const tidied = 'https://api.example.com';
    expect(loadConfig({ PUBLIC_URL: address }).publicUrl).toBe(tidied);
  });

  it.each(['https://console.example.com', 'https://console.example.com/'])(
    'takes %s for the address of the console',
    (address) => {
      expect(loadConfig({ ADMIN_URL: address }).adminUrl).toBe('https://console.example.com');
    },
  );

  it.each(['/weir', '/v1', '/weir/v1/', '//weir'])(
    'refuses the path %s in ADMIN_URL, where nothing would be served',
    (path) => {
      expect(problemOf({ ADMIN_URL: `https://example.com${path}` })).toMatch(
        /ADMIN_URL: .* has a path.* write it as https:\/\/console\.example\.com/,
      );
    },
  );

  it.each([
    'https://a.example.com,https://b.example.com',
    'https://a.example.com/?x=1',
    'https://ada:secret@a.example.com',
  ])('refuses %s as an address that paths are put after', (address) => {
    expect(problemOf({ PUBLIC_URL: address })).toMatch(/PUBLIC_URL: .* is not one plain address/);
  });

  it('takes a comma in a password for what it is', () => {
    const databaseUrl = 'postgres://weir:a,b@db/weir';
    expect(loadConfig({ ...DATABASE, DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  });

  it('tells a number that is out of range from one that is none', () => {
    expect(problemOf({ PORT: '70000' })).toMatch(
      /"70000" is out of range; write a number from 0 to/,
    );
    expect(problemOf({ PORT: '8080.5' })).toContain('"8080.5" is not a whole number; write one');
  });

  it.each(['weir@example.com', 'Weir <weir@example.com>', '"Weir, Inc." <weir@example.com>'])(
    'takes %s for a sender, and nothing that mail servers would not',
    (sender) => {
      expect(loadConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender);
      for (const wrong of [`${sender}>`, `${sender}, ${sender}`, `<${sender}`]) {
        expect(problemOf({ MAIL_FROM: wrong })).toContain('MAIL_FROM');
      }
    },
  );

  it.each([
    ['UPSTREAM_API_KEY', 'sk-\u200bupstream', 'U+200B (ZERO WIDTH SPACE) as character 4'],
    ['STRIPE_SECRET_KEY', 'sk_live_\u2019x', 'U+2019 (RIGHT SINGLE QUOTATION MARK) as character 9'],
    ['METRICS_TOKEN', `${'m'.repeat(20)}\u0430`, 'U+0430 (а, a Cyrillic letter) as character 21'],
    ['UPSTREAM_BASE_URL', 'https://api.exam ple.com', 'U+0020 (SPACE) as character 17'],
    ['SECRET_KEY', `${'k'.repeat(40)}\u200bk`, 'U+200B (ZERO WIDTH SPACE) as character 41'],
    ['DATABASE_URL', 'postgres://weir:a\u202eb@db/weir', 'U+202E (RIGHT-TO-LEFT OVERRIDE)'],
    ['REDIS_URL', 'redis://a\x1bb', 'U+001B (ESCAPE) as character 10'],
    ['SMTP_URL', 'smtp://user\u0000@host', 'U+0000 (NULL)'],
    ['MAIL_FROM', 'Weir\r\nBcc: x <weir@example.com>', 'U+000D (CARRIAGE RETURN) as character 5'],
  ])('names the character of %s that cannot be used, and its place', (name, value, fault) => {
    const problem = problemOf({ [name]: value });
    expect(problem).toContain(`${name}: has ${fault}`);
    expect(problem).not.toContain(value);
  });

  it('says how a SECRET_KEY that is in use goes on, and takes any for the previous one', () => {
    const odd = `${'k'.repeat(40)}\u200bk`;
    expect(problemOf({ SECRET_KEY: odd })).toContain('keep it as SECRET_KEY_PREVIOUS');
    const env = { SECRET_KEY: 'n'.repeat(40), SECRET_KEY_PREVIOUS: odd };
    expect(loadConfig(env)).toMatchObject({ secretKeyPrevious: odd });
  });

  it('trims what came with copying a credential', () => {
    const env = { ...DATABASE, UPSTREAM_BASE_URL: '\ufeffhttps://api.example.com/v1\r\n' };
    const key = '\ufeff\u200b sk-upstream\u00a0\n';
    expect(loadConfig({ ...env, UPSTREAM_API_KEY: key })).toMatchObject({
      upstreamBaseUrl: 'https://api.example.com/v1',
      upstreamApiKey: 'sk-upstream',
    });
  });

  it('repeats no key that was put into another variable', () => {
    const key = `sk-proj-${'a1B2'.repeat(12)}`;
    for (const name of ['UPSTREAM_MODELS', 'ROLE', 'PUBLIC_URL', 'BOOTSTRAP_ADMIN_EMAIL']) {
      const value = name === 'UPSTREAM_MODELS' ? `gpt-4o,${key} x` : key;
      expect(problemOf({ [name]: value })).not.toContain(key);
    }
  });

  it('lets both ports be chosen by the system', () => {
    expect(loadConfig({ PORT: '0', ADMIN_PORT: '0' })).toMatchObject({ port: 0, adminPort: 0 });
  });
});
