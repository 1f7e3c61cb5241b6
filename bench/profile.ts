/**
 * `npm run bench:profile`: where the gateway's CPU time goes. Runs one load on a gateway that profiles
 * itself and prints, per thread, the time by room and by function, in microseconds per request.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { forTarget } from './bench.ts';
import { layGround, type Ground } from './ground/ground.ts';
import { startDriver } from './load/driver.ts';
import type { RequestShape } from './load/request-shape.ts';
import { modelNames, streamModel } from './models.ts';
import { unknownKeys } from './keys.ts';
import { readProfile, type Profile, type Window } from './profile/read-profile.ts';
import { costsByFunction, costsByRoom, IDLE_ROOM, type Cost } from './profile/rooms.ts';
import { agentRequest, shortRequest, streamRequest } from './requests.ts';
import { SIZES } from './sizes.ts';
import { makeTemporaryFolder } from '../test/support/server-process.ts';
import { startWeir } from './targets/weir.ts';

/** Short enough to see single functions, long enough to disturb little. */
const INTERVAL_US = 200;
const WARM_UP_SECONDS = 3;
const FUNCTIONS_SHOWN = 40;
/** Threads that were busy for less than this share of the run are not shown. */
const BUSY_SHARE_MIN = 0.01;

const sizes = SIZES.full;

const LOADS: Readonly<Record<string, (ground: Ground) => RequestShape>> = {
  short: ({ keys }) => shortRequest([keys.hot]),
  accounts: ({ keys }) => shortRequest(keys.many),
  agent: ({ keys }) => agentRequest([keys.hot]),
  stream: ({ keys }) => streamRequest([keys.hot], streamModel(50, sizes)),
  'bad-key': () => shortRequest(unknownKeys(1)),
  'bad-keys': () => shortRequest(unknownKeys(sizes.unknownKeys)),
};

const { values } = parseArgs({
  options: {
    load: { type: 'string', default: 'short' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: String(sizes.connections) },
    accounts: { type: 'string', default: '1000' },
  },
});

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

function lines(costs: readonly Cost[], requests: number, busyUs: number): string[] {
  return costs
    .filter(({ name }) => name !== IDLE_ROOM && !name.startsWith('(idle)'))
    .map(({ name, selfUs, nativeUs }) => {
      const native = nativeUs === 0 ? '' : `  (native ${(nativeUs / requests).toFixed(2)})`;
      const share = ((100 * selfUs) / busyUs).toFixed(1).padStart(5);
      return `${(selfUs / requests).toFixed(2).padStart(8)} us ${share} %  ${name}${native}`;
    });
}

function report(title: string, profile: Profile, requests: number): void {
  const rooms = costsByRoom(profile);
  const idleUs = rooms.find(({ name }) => name === IDLE_ROOM)?.selfUs ?? 0;
  const busyUs = profile.totalUs - idleUs;
  if (busyUs / profile.totalUs < BUSY_SHARE_MIN) return;
  const share = ((100 * busyUs) / profile.totalUs).toFixed(0);
  console.log(`\n${title}: busy ${share} %, ${(busyUs / requests).toFixed(1)} us per request`);
  console.log(lines(rooms, requests, busyUs).join('\n'));
  console.log(`\n  by function`);
  console.log(
    lines(costsByFunction(profile), requests, busyUs).slice(0, FUNCTIONS_SHOWN).join('\n'),
  );
}

async function profileGateway(
  ground: Ground,
  request: RequestShape,
): Promise<{ folder: string; window: Window; requests: number }> {
  const folder = makeTemporaryFolder('bench-profile');
  const driver = startDriver();
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
  const target = await startWeir({ ground, variation: {}, nodeFlags: flags });
  const order = {
    kind: 'saturate',
    destination: target.destination,
    request: forTarget(request, target),
    connections: Number(values.connections),
  } as const;
  await driver.drive({ ...order, seconds: WARM_UP_SECONDS });
  const fromUs = nowUs();
  const { requests, statuses } = await driver.drive({ ...order, seconds: Number(values.seconds) });
  const window = { fromUs, toUs: nowUs() };
  console.log(`${requests} requests, statuses ${JSON.stringify(statuses)}`);
  await driver.stop();
  // Profiles are written when threads end, which they do on SIGTERM.
  await target.stop();
  return { folder, window, requests };
}

const load = LOADS[values.load];
if (load === undefined) throw new Error(`--load knows ${Object.keys(LOADS).join(', ')}.`);
const ground = await layGround({
  accounts: Number(values.accounts),
  models: modelNames(sizes),
  fsync: true,
});
try {
  const { folder, window, requests } = await profileGateway(ground, load(ground));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    // CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile
    const thread = file.split('.')[4] ?? '?';
    report(`thread ${thread}`, readProfile(join(folder, file), window), requests);
  }
} finally {
  await ground.stop();
}
