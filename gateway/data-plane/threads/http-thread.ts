/** One HTTP thread: everything on the request path runs here. */
import { parentPort, workerData } from 'node:worker_threads';
import { useClocks } from '../../platform/clock/store-clock.ts';
import { HttpService } from './http-service.ts';
import type { HttpThreadStart } from './messages.ts';

if (parentPort === null) throw new Error('http-thread.ts runs as a worker thread');
const start = workerData as HttpThreadStart;
if (start.clocks !== undefined) useClocks(start.clocks);
const service = await HttpService.open(start, parentPort);
process.on('uncaughtException', (error) => service.fail(error));
process.on('unhandledRejection', (reason) => service.fail(reason));
