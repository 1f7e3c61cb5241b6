import { integer, text, url } from './setting.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** Limits and times that operators may change; part of SETTINGS. */
export const LIMIT_SETTINGS = {
  REQUEST_HEAD_BYTES_MAX: integer({
    fallback: 16 * 1024,
    min: 4 * 1024,
    max: MIB,
    unit: 'bytes',
    meaning:
      'Largest head of a request: its line and headers, cookies and tokens of proxies among them.',
  }),
  REQUEST_BODY_BYTES_MAX: integer({
    fallback: 32 * MIB,
    min: 1024,
    max: 512 * MIB,
    unit: 'bytes',
    meaning: 'Largest request body.',
  }),
  REQUEST_BODY_TIMEOUT_MS: integer({
    fallback: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    meaning: 'Longest time a request body may take to arrive.',
  }),
  REQUEST_BODY_MEMORY_BYTES_MAX: integer({
    fallback: 256 * MIB,
    min: 2048,
    max: 64 * 1024 * MIB,
    unit: 'bytes',
    meaning:
      'Memory of one HTTP thread for request bodies of 16 KiB or more; an account may use as much as remains free. Beyond it requests get 429 or 503 with Retry-After.',
  }),
  UPLOAD_BYTES_MAX: integer({
    fallback: 1024 * MIB,
    min: 1024,
    max: 16 * 1024 * MIB,
    unit: 'bytes',
    meaning: 'Largest form with files, such as the images of an edit or the sound of a transcript.',
  }),
  UPLOAD_TIMEOUT_MS: integer({
    fallback: 300_000,
    min: 100,
    max: 3_600_000,
    unit: 'ms',
    meaning: 'Longest time a form with files may take to arrive.',
  }),
  UPLOAD_DISK_BYTES_MAX: integer({
    fallback: 8 * 1024 * MIB,
    min: 2048,
    max: 1024 * 1024 * MIB,
    unit: 'bytes',
    meaning:
      'Disk in DATA_DIR/uploads that one HTTP thread uses for forms under way; an account may use as much as remains free. Beyond it requests get 429 or 503 with Retry-After.',
  }),
  LOGIN_TOKEN_SECONDS: integer({
    fallback: 8 * 3600,
    min: 60,
    max: 7 * 86_400,
    unit: 's',
    meaning:
      'How long a token of a command-line tool works that logged in with a device code; the tool renews it.',
  }),
  WEBSOCKETS_MAX: integer({
    fallback: 10_000,
    min: 0,
    max: 1_000_000,
    unit: 'connections',
    meaning:
      'WebSockets of clients that one HTTP thread keeps open; clients beyond it use HTTP. 0 serves none.',
  }),
  WEBSOCKETS_PER_ACCOUNT_MAX: integer({
    fallback: 1_000,
    min: 1,
    max: 1_000_000,
    unit: 'connections',
    meaning: 'WebSockets of one account that one HTTP thread keeps open.',
  }),
  WEBSOCKET_MEMORY_BYTES_MAX: integer({
    fallback: 256 * MIB,
    min: MIB,
    max: 64 * 1024 * MIB,
    unit: 'bytes',
    meaning:
      'Memory of one HTTP thread for conversations that WebSockets continue. Beyond it a client sends its whole conversation again.',
  }),
  REALTIME_EVENT_BYTES_MAX: integer({
    fallback: 16 * MIB,
    min: 64 * 1024,
    max: 64 * MIB,
    unit: 'bytes',
    meaning:
      'Longest event of a realtime session, from the client or from the upstream. A session whose upstream sends a longer one is closed.',
  }),
  CONTENT_LOG_DAYS_MAX: integer({
    fallback: 30,
    min: 0,
    max: 365,
    unit: 'days',
    meaning:
      'Longest time for which the owner of a key may keep its requests and replies. 0 allows no content log, and deletes what is kept.',
  }),
  CONTENT_LOG_BYTES_MAX: integer({
    fallback: 256 * 1024,
    min: 4 * 1024,
    max: 8 * MIB,
    unit: 'bytes',
    meaning: 'Bytes of a request that a content log keeps, and of its reply; the rest is cut off.',
  }),
  CONTENT_LOG_ACCOUNT_DAY_BYTES_MAX: integer({
    fallback: 256 * MIB,
    min: MIB,
    max: 1024 * 1024 * MIB,
    unit: 'bytes',
    meaning:
      'Disk space that the content logs of an account take in a day (UTC), compressed. Beyond it, requests are marked and their content is not kept.',
  }),
  CHOICES_MAX: integer({
    fallback: 16,
    min: 1,
    max: 128,
    unit: 'choices',
    meaning: 'Largest `n` of a request.',
  }),
  REPLY_BODY_BYTES_MAX: integer({
    fallback: 64 * MIB,
    min: 64 * 1024,
    max: 512 * MIB,
    unit: 'bytes',
    meaning:
      "Most of an upstream's reply that one request keeps in memory: a whole reply that is read before it is passed, or one event of a stream. Sound, and images in large replies, pass as they come and may be longer.",
  }),
  KEEP_ALIVE_COMMENT_MS: integer({
    fallback: 15_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    meaning:
      'A stream whose upstream is silent this long gets a comment line, or an event where clients count those.',
  }),
  HOLD_TTL_MS: integer({
    fallback: 120_000,
    min: 1_000,
    max: DAY_MS,
    unit: 'ms',
    meaning: 'A hold expires after this time; requests in flight renew theirs at half of it.',
  }),
  SETTLE_WAIT_MS: integer({
    fallback: 100,
    min: 0,
    max: 10_000,
    unit: 'ms',
    meaning: 'Longest time a reply’s last byte waits for the settle’s acknowledgement.',
  }),
  STREAM_SLICE_TOKENS: integer({
    fallback: 2_048,
    min: 16,
    max: 1_000_000,
    unit: 'tokens',
    meaning: 'Output tokens held at a time for a stream that gave no max_tokens.',
  }),
  REASONING_SLICE_TOKENS: integer({
    fallback: 16_384,
    min: 16,
    max: 1_000_000,
    unit: 'tokens',
    meaning:
      'Output tokens held at first for such a stream of a model with the capability `reasoning`, which may think as many before anything of it can be metered.',
  }),
  LEDGER_TIMEOUT_MS: integer({
    fallback: 2_000,
    min: 50,
    max: 60_000,
    unit: 'ms',
    meaning: 'A hold that the store has not answered by then is a 503.',
  }),
  CLOSED_REQUEST_MEMORY_MS: integer({
    fallback: DAY_MS,
    min: 60_000,
    max: 7 * DAY_MS,
    unit: 'ms',
    meaning: 'How long the ledger remembers that a request id is closed.',
  }),
  CLOCK_DIFFERENCE_MS_MAX: integer({
    fallback: 300_000,
    min: 10_000,
    max: 86_400_000,
    unit: 'ms',
    meaning:
      'A process whose clock differs more than this from that of the ledger’s store is not ready: /ready is 503 and says why.',
  }),
  USAGE_BACKLOG_MAX: integer({
    fallback: 4_000_000,
    min: 1_000,
    max: 1_000_000_000,
    unit: 'records',
    meaning:
      'Usage records that may wait in Redis for Postgres, about a kilobyte each; beyond it new requests are refused with 503.',
  }),
  KEY_CACHE_ENTRIES_MAX: integer({
    fallback: 50_000,
    min: 16,
    max: 10_000_000,
    unit: 'keys',
    meaning: 'Verified keys remembered by each HTTP thread.',
  }),
  POOL_QUEUE_MAX: integer({
    fallback: 1_024,
    min: 1,
    max: 1_000_000,
    unit: 'tasks',
    meaning:
      'Keys to verify, and as many counts of tokens, that may wait for a worker thread, per HTTP thread; beyond it the answer is 503 with Retry-After.',
  }),
  UPSTREAM_CONNECTIONS_MAX: integer({
    fallback: 512,
    min: 1,
    max: 65_535,
    unit: 'connections',
    meaning: 'Connections of one HTTP thread to one upstream origin.',
  }),
  HTTPS_PROXY: url({
    fallback: null,
    secret: true,
    protocols: ['http:', 'https:'],
    meaning: 'The proxy before upstreams with an https address; https_proxy is read, too.',
  }),
  HTTP_PROXY: url({
    fallback: null,
    secret: true,
    protocols: ['http:', 'https:'],
    meaning: 'The same before upstreams with an http address.',
  }),
  NO_PROXY: text({
    fallback: null,
    meaning:
      'Hosts and address ranges reached without a proxy, separated by commas; loopback ones always are.',
  }),
  UPSTREAM_ATTEMPTS_MAX: integer({
    fallback: 3,
    min: 1,
    max: 10,
    unit: 'attempts',
    meaning: 'Times one request is sent, each time to another channel or with another credential.',
  }),
  CHANGE_POLL_MS: integer({
    fallback: 250,
    min: 50,
    max: 900,
    unit: 'ms',
    meaning:
      'How often changes made in the admin API are looked for; below 1 s, so that a revoked key stops within 1 s.',
  }),
  SHUTDOWN_GRACE_MS: integer({
    fallback: 30_000,
    min: 0,
    max: 3_600_000,
    unit: 'ms',
    meaning: 'How long requests in flight may take to finish after SIGTERM.',
  }),
  SHUTDOWN_DELAY_MS: integer({
    fallback: 0,
    min: 0,
    max: 600_000,
    unit: 'ms',
    meaning:
      'How much of that time new requests are still served, while /ready answers 503 and load balancers turn away.',
  }),
} as const;
