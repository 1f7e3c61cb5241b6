/**
 * Runs before each test file, also where a process runs several of them one after another and keeps
 * its modules.
 */
import { testClock } from '../../gateway/ledger/support/test-clock.ts';
import { forgetRedisUrl } from '../stores/redis.ts';

forgetRedisUrl();
testClock.reset();
