/**
 * `npm run bench:profile`: where the gateway's CPU time goes. Runs one load on a gateway that
 * profiles itself and prints, per thread, the time by room and by function, in microseconds per
 * request.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { forTarget } from './bench.ts';
import { layGround, type Ground } from './ground/ground.ts';
import { startDriver } from './load/driver.ts';
import type { RequestShape } from './load/request-shape.ts';
import { speakOrder } from './load/speak.ts';
import { imageModel, modelNames, realtimeModel, speechModel, streamModel } from './models.ts';
import { newKeys, unknownKeys } from './keys.ts';
import { readProfile, type Profile, type Window } from './profile/read-profile.ts';
import {
  costsByFunction,
  costsByLine,
  costsByRoom,
  IDLE_ROOM,
  type Cost,
} from './profile/rooms.ts';
import { cpuTimeUs } from './processes/process-tree.ts';
import {
  agentMessagesRequest,
  agentRequest,
  imageRequest,
  shortRequest,
  speechRequest,
  streamRequest,
} from './requests.ts';
import { SIZES } from './sizes.ts';
import { makeTemporaryFolder } from '../test/support/machine/server-process.ts';
import { startWeir } from './targets/weir.ts';

/** Short enough to see single functions, long enough to disturb little. */
const INTERVAL_US = 200;
const FUNCTIONS_SHOWN = 40;
const LINES_SHOWN = 25;
/** Threads that were busy for less than this share of the run are not shown. */
const BUSY_SHARE_MIN = 0.01;

const sizes = SIZES.full;

const LOADS: Readonly<Record<string, (ground: Ground) => RequestShape>> = {
  short: ({ keys }) => shortRequest([keys.hot]),
  accounts: ({ keys }) => shortRequest(keys.many),
  agent: ({ keys }) => agentRequest([keys.hot]),
  translated: ({ keys }) => agentMessagesRequest([keys.hot]),
  stream: ({ keys }) => streamRequest([keys.hot], streamModel(50, sizes)),
  image: ({ keys }) => imageRequest([keys.hot], imageModel(sizes), false),
  images: ({ keys }) => imageRequest([keys.hot], imageModel(sizes), true),
  speech: ({ keys }) => speechRequest([keys.hot], speechModel(sizes)),
  'bad-key': () => shortRequest(unknownKeys(1)),
  'bad-keys': () => shortRequest(unknownKeys(sizes.unknownKeys)),
};

/** Spoken replies over WebSockets in place of requests. */
const REALTIME = 'realtime';

const { values } = parseArgs({
  options: {
    load: { type: 'string', default: 'short' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: String(sizes.connections) },
    accounts: { type: 'string', default: '1000' },
    base: { type: 'string' },
  },
});

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

interface ThreadProfile {
  readonly title: string;
  readonly profile: Profile;
  readonly busyUs: number;
}

function readThreads(folder: string, window: Window): ThreadProfile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((file) => {
      const profile = readProfile(join(folder, file), window);
      const idle = costsByRoom(profile).find(({ name }) => name === IDLE_ROOM);
      // CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile
      const title = `thread ${file.split('.')[4] ?? '?'}`;
      return { title, profile, busyUs: profile.totalUs - (idle?.selfUs ?? 0) };
    });
}

/** `perRequest` turns sampled microseconds into microseconds of CPU per request. */
function lines(costs: readonly Cost[], busyUs: number, perRequest: number): string[] {
  return costs
    .filter(({ name }) => name !== IDLE_ROOM && !name.startsWith('(idle)'))
    .map(({ name, selfUs, nativeUs }) => {
      const native = nativeUs === 0 ? '' : `  (native ${(nativeUs * perRequest).toFixed(2)})`;
      const share = ((100 * selfUs) / busyUs).toFixed(1).padStart(5);
      return `${(selfUs * perRequest).toFixed(2).padStart(8)} us ${share} %  ${name}${native}`;
    });
}

function report({ title, profile, busyUs }: ThreadProfile, perRequest: number): void {
  if (busyUs / profile.totalUs < BUSY_SHARE_MIN) return;
  const share = ((100 * busyUs) / profile.totalUs).toFixed(0);
  console.log(`\n${title}: ${(busyUs * perRequest).toFixed(1)} us per request, busy ${share} %`);
  console.log(lines(costsByRoom(profile), busyUs, perRequest).join('\n'));
  const functions = lines(costsByFunction(profile), busyUs, perRequest).slice(0, FUNCTIONS_SHOWN);
  console.log(`\n  ${title} by function\n${functions.join('\n')}`);
  const hot = lines(costsByLine(profile), busyUs, perRequest).slice(0, LINES_SHOWN);
  console.log(`\n  ${title}, lines of our own\n${hot.join('\n')}`);
}

/** @param request null: spoken replies */
async function profileGateway(
  ground: Ground,
  request: RequestShape | null,
): Promise<{ folder: string; window: Window; requests: number; cpuUs: number }> {
  const folder = makeTemporaryFolder('bench-profile');
  const driver = startDriver();
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
  const target = await startWeir({
    ground,
    variation: {},
    nodeFlags: flags,
    ...(values.base === undefined ? {} : { base: values.base }),
  });
  const { destination } = target;
  const load = async (seconds: number) => {
    const connections = Number(values.connections);
    if (request !== null) {
      const shape = forTarget(request, target);
      const order = { kind: 'saturate', destination, connections, seconds } as const;
      return driver.drive({ ...order, request: shape });
    }
    const model = realtimeModel(sizes);
    const spoken = speakOrder({ model, key: ground.keys.hot, sessions: connections });
    const { replies: requests, statuses } = await driver.drive({
      ...spoken,
      ...{ destination, seconds },
    });
    return { requests, statuses };
  };
  await load(SIZES.full.warmUpSeconds);
  const fromUs = nowUs();
  const cpuBeforeUs = cpuTimeUs(target.pid);
  const { requests, statuses } = await load(Number(values.seconds));
  const cpuUs = cpuTimeUs(target.pid) - cpuBeforeUs;
  const window = { fromUs, toUs: nowUs() };
  console.log(`${requests} requests, statuses ${JSON.stringify(statuses)}`);
  console.log(`${(cpuUs / requests).toFixed(1)} us of CPU per request while profiled, all threads`);
  await driver.stop();
  // Profiles are written when threads end, which they do on SIGTERM.
  await target.stop();
  return { folder, window, requests, cpuUs };
}

const load = LOADS[values.load];
if (load === undefined && values.load !== REALTIME) {
  throw new Error(`--load knows ${[...Object.keys(LOADS), REALTIME].join(', ')}.`);
}
const ground = await layGround({
  keys: newKeys(Number(values.accounts)),
  models: modelNames(sizes),
  protocolModels: [],
  fsync: true,
});
try {
  const { folder, window, requests, cpuUs } = await profileGateway(ground, load?.(ground) ?? null);
  const threads = readThreads(folder, window);
  rmSync(folder, { recursive: true });
  // Samples are taken by the clock, also while a thread waits for a core: together they are scaled
  // to CPU time.
  const busyUs = threads.reduce((sum, thread) => sum + thread.busyUs, 0);
  for (const thread of threads) report(thread, cpuUs / busyUs / requests);
} finally {
  await ground.stop();
}
