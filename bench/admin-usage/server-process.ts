/** The admin API alone, in a process whose memory can be read. Arguments: database URL. */
import pino from 'pino';
import { createAdminServer } from '../../gateway/control-plane/server.ts';
import { createPostgresLedger } from '../../gateway/ledger/create-ledger.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { deriveSecrets } from '../../gateway/platform/secrets/secrets.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const pool = openPool(databaseUrl, { connectionsMax: 10, applicationName: 'bench' });
const app = await createAdminServer({
  config: {
    adminUrl: null,
    trustedProxyHops: 0,
    allowPrivateUpstreams: false,
    httpsProxy: null,
    httpProxy: null,
    noProxy: null,
    smtpUrl: null,
    mailFrom: 'Weir <weir@localhost>',
    stripeSecretKey: null,
    stripeWebhookSecret: null,
    contentLogDaysMax: 30,
    contentLogBytesMax: 262_144,
  },
  pool,
  ledger: createPostgresLedger({ pool }),
  secrets: deriveSecrets('a secret key for the bench alone, no more'),
  logger: pino({ level: 'warn' }),
  gatewayUrl: 'http://127.0.0.1:8080',
  consoleUrl: 'http://127.0.0.1:8081',
  consoleFolder: null,
  version: '0.0.0',
  limits: { requestsPerMinute: 1e9, guardedRequestsPerMinute: 1e9, attemptsPerSubject: 1e9 },
  runJobs: false,
});
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
process.once('disconnect', () => {
  void app.close().then(() => pool.end());
});
