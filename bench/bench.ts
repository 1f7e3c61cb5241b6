import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startNginx } from './baselines/nginx.ts';
import { startPortkey } from './baselines/portkey.ts';
import { newKeys } from './keys.ts';
import { layGround, type Ground } from './ground/ground.ts';
import { startDriver, type Driver } from './load/driver.ts';
import type { LoadOrder, LoadResults } from './load/orders.ts';
import { variants, type RequestShape } from './load/request-shape.ts';
import { measure, type Measurement, type Pending } from './measure/measurement.ts';
import { takeTurns } from './measure/take-turns.ts';
import type { Options } from './options.ts';
import type { Recorder } from './report/recorder.ts';
import { modelNames, protocolModels } from './models.ts';
import { Calm } from './processes/calm.ts';
import { cpuTimeUs } from './processes/process-tree.ts';
import { shortRequest } from './requests.ts';
import { startBaseline } from './targets/baseline.ts';
import { LOCAL, untilQuiet, type Target, type TargetName } from './targets/target.ts';
import { startWeir, type Variation } from './targets/weir.ts';

/**
 * Connections of a target to the upstream unless a scenario needs more: UPSTREAM_CONNECTIONS_MAX's
 * default.
 */
const UPSTREAM_CONNECTIONS = 512;

const DRAIN_POLL_MS = 100;
/** Many times what the largest measurement leaves to drain. */
const DRAIN_WAIT_MS_MAX = 120_000;

/** Tells a line of the results which measurement it is. */
type Tags = { readonly scenario: string; readonly round: number } & Readonly<
  Record<string, unknown>
>;

/** Everything a scenario works with. Made by `openBench`, ended by `close`. */
export class Bench {
  readonly options: Options;
  readonly ground: Ground;
  readonly #grounds: readonly Ground[];
  readonly driver: Driver;
  /** The upstream itself, called without anything between. */
  readonly direct: Target;
  readonly #recorder: Recorder;
  readonly #baselines: ReadonlyMap<TargetName, Target>;
  readonly #calm: Calm;
  readonly #idleUsPerSecond = new WeakMap<Target, number>();
  #secondDriver: Driver | undefined;
  #subject: Target | undefined;
  #subjectVariation = '';
  readonly #warm = new WeakMap<Target, Set<string>>();
  /** Requests per second of the short completion at saturation, once a scenario has found it. */
  saturation: number | undefined;

  constructor(parts: {
    options: Options;
    ground: Ground;
    driver: Driver;
    recorder: Recorder;
    baselines: ReadonlyMap<TargetName, Target>;
    /** Stopped with everything else. */
    grounds: readonly Ground[];
  }) {
    this.options = parts.options;
    this.#grounds = parts.grounds;
    this.ground = parts.ground;
    this.driver = parts.driver;
    this.direct = {
      name: 'direct',
      destination: { host: LOCAL, port: this.ground.upstreamPort },
      pid: this.ground.pids.upstream,
      headers: {},
      tidy: () => undefined,
      stop: () => Promise.resolve(),
      kill: () => Promise.resolve(),
    };
    this.#recorder = parts.recorder;
    this.#baselines = parts.baselines;
    this.#calm = new Calm(parts.options.sizes.calmWaitMs);
  }

  /** The pass-through, which every ratio is against. */
  get passThrough(): Target {
    const target = this.#baselines.get('pass-through');
    if (target === undefined) throw new Error('The pass-through is always started.');
    return target;
  }

  /** Returns those of the named baselines that were requested. */
  baselines(...names: readonly TargetName[]): Target[] {
    const found = names.map((name) => this.#baselines.get(name));
    return found.filter((target) => target !== undefined);
  }

  /** For load alongside that of the first driver. */
  get secondDriver(): Driver {
    return (this.#secondDriver ??= startDriver());
  }

  /**
   * The gateway, with these variables besides the usual ones. One runs at a time, so that no other
   * drains its usage records for it: asking for another variation stops the one before.
   */
  async subject(variation: Variation = {}): Promise<Target> {
    const name = JSON.stringify(variation);
    if (this.#subject !== undefined && this.#subjectVariation === name) return this.#subject;
    // A gateway that stops drains what it has settled, for which a tiny run has no time.
    if (this.options.sizes.waitsForBook) await this.#subject?.stop();
    else await this.#subject?.kill();
    this.#subject = undefined;
    this.#subject = await this.#startSubject(variation);
    // That of another checkout is charged like this one, or a change would pay by it alone.
    for (const gateway of [this.#subject, ...this.baselines('base')]) await this.idle(gateway);
    this.#subjectVariation = name;
    return this.#subject;
  }

  /**
   * Starts a pass-through of its own, for scenarios that need more connections; the caller stops
   * it.
   */
  startPassThrough(connectionsMax: number): Promise<Target> {
    return startBaseline('pass-through', this.ground.upstreamPort, connectionsMax);
  }

  /**
   * Loads targets with a request until their code is compiled; once per target and kind of request.
   * A request of many variants is sent once each, so that accounts are loaded and keys looked up.
   */
  warmUp(targets: readonly Target[], request: RequestShape, kind: string): Promise<void> {
    const { connections, warmUpSeconds } = this.options.sizes;
    const count = variants(request).length;
    return this.warmUpWith(targets, kind, (target) => ({
      kind: 'saturate',
      destination: target.destination,
      request: forTarget(request, target),
      connections: Math.min(connections, count === 1 ? connections : count),
      seconds: warmUpSeconds,
      ...(count === 1 ? {} : { requests: count }),
    }));
  }

  /**
   * The same with streams, read as they will be measured: at saturation, chunks that share a read
   * take another way through the code.
   */
  warmUpStreams(targets: readonly Target[], request: RequestShape, kind = 'stream'): Promise<void> {
    const { streamsOpen, streamWarmUpSeconds } = this.options.sizes;
    return this.warmUpWith(targets, kind, (target) => ({
      kind: 'read_streams',
      destination: target.destination,
      request: forTarget(request, target),
      connections: streamsOpen,
      seconds: streamWarmUpSeconds,
    }));
  }

  /** Carries out an order on each target, once per target and kind of load. */
  async warmUpWith(
    targets: readonly Target[],
    kind: string,
    orderFor: (target: Target) => LoadOrder,
  ): Promise<void> {
    for (const target of targets) {
      const warm = this.#warm.get(target) ?? new Set();
      this.#warm.set(target, warm);
      if (warm.has(kind)) continue;
      warm.add(kind);
      await this.driver.drive(orderFor(target));
    }
    for (const target of targets) await this.#untilDone(target);
  }

  /** Carries out one order against a target, accounts for it, and writes everything down. */
  async measure<Order extends LoadOrder>(
    target: Target,
    order: Order,
    tags: Tags,
  ): Promise<Measurement<LoadResults[Order['kind']]>> {
    const load = await this.#begin(target, order, tags);
    return load.settleUp();
  }

  /**
   * Carries out two orders at the same time, by a driver each; the drivers change sides from round
   * to round. It waits for no calm: two that wait by themselves would not begin together.
   */
  async measureTogether<Order extends LoadOrder>(
    one: { readonly target: Target; readonly order: Order },
    other: { readonly target: Target; readonly order: Order },
    tags: Tags,
  ): Promise<[Measurement<LoadResults[Order['kind']]>, Measurement<LoadResults[Order['kind']]>]> {
    const drivers = [this.driver, this.secondDriver] as const;
    const [first, second] = tags.round % 2 === 0 ? drivers : ([drivers[1], drivers[0]] as const);
    const loads = await Promise.all([
      this.#start(one.target, one.order, tags, first),
      this.#start(other.target, other.order, tags, second),
    ]);
    return [await loads[0].settleUp(), await loads[1].settleUp()];
  }

  /**
   * Measures targets in turn, each with its order; answers the measurements by the lanes' names.
   */
  takeTurns<Order extends LoadOrder>(
    lanes: readonly { readonly name: string; readonly target: Target; readonly order: Order }[],
    tags: { readonly scenario: string } & Readonly<Record<string, unknown>>,
    rounds: number = this.options.sizes.rounds,
  ): Promise<Map<string, Measurement<LoadResults[Order['kind']]>[]>> {
    return takeTurns(
      lanes.map(({ name, target, order }) => ({
        name,
        measure: (round) => this.#begin(target, order, { ...tags, lane: name, round }),
      })),
      { rounds, settleUpLate: this.options.sizes.settleUpLate },
    );
  }

  async #begin<Order extends LoadOrder>(
    target: Target,
    order: Order,
    tags: Tags,
  ): Promise<Pending<LoadResults[Order['kind']]>> {
    // Latencies need a machine to themselves; CPU time is charged to who uses it.
    if (order.kind === 'open_loop') await this.#calm.wait();
    return this.#start(target, order, tags, this.driver);
  }

  async #start<Order extends LoadOrder>(
    target: Target,
    order: Order,
    tags: Tags,
    driver: Driver,
  ): Promise<Pending<LoadResults[Order['kind']]>> {
    const { ground } = target;
    // Another checkout has stores of its own; the upstream is the same for all.
    const stores = ground ?? this.ground;
    const { redis, postgres } = stores.pids;
    const load = await measure(target, order, {
      driver,
      pids: { upstream: this.ground.pids.upstream, redis, postgres },
      redisScripts: () => stores.redisScripts(),
      untilDone: (done) => this.#untilDone(done),
      ...(ground === undefined || !this.options.sizes.waitsForBook
        ? {}
        : { recordsBetween: (fromMs, toMs) => ground.recordsBetween(fromMs, toMs) }),
      idleUsPerSecond: this.#idleUsPerSecond.get(target) ?? 0,
    });
    return {
      result: load.result,
      settleUp: async () => {
        const measured = await load.settleUp();
        const line = { line: 'round', ...tags, target: target.name, load: order.kind };
        this.#recorder.write({ ...line, ...measured });
        return measured;
      },
    };
  }

  /**
   * A request of Weir's is over when its record is in the book: draining it to PostgreSQL, which
   * begins two and a half seconds later, belongs to its cost. A baseline is done with its reply.
   * Answers when it was over.
   */
  async #untilDone(target: Target): Promise<number> {
    const { ground } = target;
    if (ground === undefined || !this.options.sizes.waitsForBook) return performance.now();
    const deadlineMs = performance.now() + DRAIN_WAIT_MS_MAX;
    while ((await ground.usageWaiting()) > 0) {
      if (performance.now() > deadlineMs) throw new Error('Usage records are not drained.');
      await sleep(DRAIN_POLL_MS);
    }
    const bookedMs = performance.now();
    await untilQuiet(target, this.options.sizes.quietSliceMs);
    return bookedMs;
  }

  /**
   * Measures the CPU time of an idle gateway, in microseconds per second: of each that is
   * started, since more threads use more.
   */
  async idle(target: Target): Promise<number> {
    const known = this.#idleUsPerSecond.get(target);
    if (known !== undefined) return known;
    await greet(target, shortRequest([this.ground.keys.hot]));
    const { restSeconds, idleSeconds } = this.options.sizes;
    await sleep(1000 * restSeconds);
    await this.#untilDone(target);
    const before = cpuTimeUs(target.pid);
    await sleep(1000 * idleSeconds);
    const idleUsPerSecond = (cpuTimeUs(target.pid) - before) / idleSeconds;
    this.#idleUsPerSecond.set(target, idleUsPerSecond);
    return idleUsPerSecond;
  }

  async close(): Promise<void> {
    const subject = this.#subject === undefined ? [] : [this.#subject];
    await Promise.all([...this.#baselines.values(), ...subject].map((target) => target.stop()));
    await Promise.all([this.driver.stop(), this.#secondDriver?.stop()]);
    await Promise.all(this.#grounds.map((ground) => ground.stop()));
  }

  async #startSubject(variation: Variation): Promise<Target> {
    const { subject, threads, workers } = this.options;
    if (subject === 'pass-through') {
      const connections = Number(variation['UPSTREAM_CONNECTIONS_MAX'] ?? UPSTREAM_CONNECTIONS);
      return { ...(await this.startPassThrough(connections)), name: 'weir' };
    }
    return startWeir({
      ground: this.ground,
      variation: {
        ...(threads === null ? {} : { GATEWAY_THREADS: String(threads) }),
        ...(workers === null ? {} : { WORKER_THREADS: String(workers) }),
        ...variation,
      },
    });
  }
}

/** As many first requests as reach every thread, most likely. */
const GREETINGS = 8;

/**
 * The first requests of a gateway start its workers and load their account: no measurement begins
 * with them.
 */
async function greet({ destination }: Target, request: RequestShape): Promise<void> {
  const [{ body, headers } = { body: '', headers: {} }] = variants(request);
  const url = `http://${destination.host}:${destination.port}${request.path}`;
  await Promise.all(
    Array.from({ length: GREETINGS }, async () => {
      const response = await fetch(url, { method: 'POST', body, headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`The gateway answers ${response.status}: ${text}`);
    }),
  );
}

/** A request with the headers that a target needs besides. */
export function forTarget(request: RequestShape, target: Target): RequestShape {
  return { ...request, headers: { ...request.headers, ...target.headers } };
}

/** The code of another checkout that lays its ground. */
async function groundCodeOf(base: string): Promise<{ readonly layGround: typeof layGround }> {
  const file = pathToFileURL(join(base, 'bench', 'ground', 'ground.ts'));
  return (await import(file.href)) as { readonly layGround: typeof layGround };
}

/**
 * Starts the ground, the driver and the baselines. The gateway starts when a scenario asks for it.
 */
export async function openBench(options: Options, recorder: Recorder): Promise<Bench> {
  const { sizes, against, base } = options;
  const groundOptions = {
    keys: newKeys(sizes.accounts),
    models: modelNames(sizes),
    protocolModels: protocolModels(sizes),
    fsync: sizes.fsync,
  };
  const ground = await layGround(groundOptions);
  const grounds = [ground];
  const { upstreamPort } = ground;
  const baselines = new Map<TargetName, Target>();
  for (const name of against) {
    if (name === 'nginx') baselines.set(name, await startNginx(upstreamPort, UPSTREAM_CONNECTIONS));
    else if (name === 'portkey') baselines.set(name, await startPortkey(upstreamPort));
    else if (name === 'metered') {
      const own = await layGround({ ...groundOptions, upstreamPort });
      grounds.push(own);
      const stores = [own.redisUrl, own.databaseUrl];
      baselines.set(name, await startBaseline(name, upstreamPort, UPSTREAM_CONNECTIONS, stores));
    } else baselines.set(name, await startBaseline(name, upstreamPort, UPSTREAM_CONNECTIONS));
  }
  if (base !== null) {
    // Stores of its own: two gateways on one stream would drain each other's usage records. Its own
    // code lays them, since its schema may be another one.
    const own = await (await groundCodeOf(base)).layGround({ ...groundOptions, upstreamPort });
    grounds.push(own);
    baselines.set('base', await startWeir({ ground: own, variation: {}, base }));
  }
  return new Bench({ options, ground, grounds, driver: startDriver(), recorder, baselines });
}
