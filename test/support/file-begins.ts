/**
 * Runs before each test file, also where a process runs several of them one after another and keeps
 * its modules.
 */
import { forgetRedisUrl } from './redis.ts';

forgetRedisUrl();
