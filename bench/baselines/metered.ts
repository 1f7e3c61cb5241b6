/**
 * The pass-through with Weir's ledger and nothing else: it holds money before it sends a whole
 * request on, and settles before it hands the reply back. All requests are one account's, nothing
 * is parsed, and usage goes no further than Redis: so this is what two calls of the ledger cost at
 * the least, the waiting for them included. Arguments: upstream origin, connections to it,
 * addresses of Redis and of PostgreSQL, which must be its own.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Dispatcher, Pool } from 'undici';
import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import { createRedisLedger } from '../../gateway/ledger/create-ledger.ts';
import type { Payer } from '../../gateway/ledger/ledger.ts';
import { partitionKey, partitionOf } from '../../gateway/ledger/partition.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { payerOf } from '../../test/support/ledger/payer.ts';
import { Relay, serve } from './relay.ts';

const [origin = '', connections = '512', redisUrl = '', databaseUrl = ''] = process.argv.slice(2);

const HELD_NANO_USD = 1_000_000;
const COST_NANO_USD = 50_000;
const TOKENS = 100;
const TTL_MS = 600_000;
const CLOSED_MEMORY_MS = 86_400_000;
const FORGET_EVERY_MS = 1_000;

const redis = connectRedis(redisUrl);
await redis.connect();
const database = openPool(databaseUrl, { connectionsMax: 1, applicationName: 'bench' });
const ledger = createRedisLedger({ redis, pool: database, closedMemoryMs: CLOSED_MEMORY_MS });
const payer = await findPayer();
const recordEnding = `","accountId":"${payer.account.id}","keyId":"${payer.key.id}","padding":"${'-'.repeat(500)}"}`;
const partition = partitionOf(payer.account.id);
// Nobody enters it into a book.
setInterval(() => {
  void redis.del(partitionKey(partition, 'usage'), partitionKey(partition, 'joined'));
}, FORGET_EVERY_MS);

async function findPayer(): Promise<Payer> {
  const { rows } = await database.query<{ id: string; account_id: string; group_id: string }>(
    `select k.id, k.account_id, k.group_id from keys k join accounts a on a.id = k.account_id
     where k.rpm is null and a.balance_nano_usd > 0 limit 1`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('No account has money.');
  return payerOf({
    account: { id: row.account_id },
    key: { id: row.id },
    group: { id: row.group_id },
  });
}

class MeteredRelay extends Relay {
  readonly #requestId = newRequestId(Date.now());

  override send(pool: Pool, options: Dispatcher.DispatchOptions): void {
    const hold = {
      requestId: this.#requestId,
      payer,
      amountNanoUsd: HELD_NANO_USD,
      minimumNanoUsd: HELD_NANO_USD,
      tokens: TOKENS,
      ttlMs: TTL_MS,
    };
    void ledger.hold(hold).then(({ code }) => {
      if (code === 'held') super.send(pool, options);
      else this.onResponseError();
    });
  }

  protected override endWhole(body: Buffer): void {
    const settle = {
      requestId: this.#requestId,
      payer,
      actualNanoUsd: COST_NANO_USD,
      tokens: TOKENS,
      recordJson: `{"requestId":"${this.#requestId}${recordEnding}`,
    };
    void ledger.settle(settle).then(() => {
      super.endWhole(body);
    });
  }
}

serve({ origin, connections: Number(connections) }, (res: HttpResponse) => new MeteredRelay(res));
