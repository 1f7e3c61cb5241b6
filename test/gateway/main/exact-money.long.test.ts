import { startRedis, startRedisCluster } from '../../support/stores/redis.ts';
import { describeExactMoney } from './support/exact-money.ts';

describeExactMoney(
  'as many succeed as the balance affords, the rest are refused, each success leaves one record',
  [
    { stores: 'one gateway', requests: 10_000, gateways: 1, store: startRedis },
    { stores: 'two gateways', requests: 10_000, gateways: 2, store: startRedis },
    {
      stores: 'two gateways on a Redis Cluster',
      requests: 2_000,
      gateways: 2,
      store: startRedisCluster,
    },
  ],
);
