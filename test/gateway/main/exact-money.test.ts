import { startRedis } from '../../support/stores/redis.ts';
import { describeExactMoney } from './support/exact-money.ts';

describeExactMoney(
  'as many succeed as the balance affords, the rest are refused, each success leaves one record',
  [{ stores: 'two gateways', requests: 400, gateways: 2, store: startRedis }],
);
