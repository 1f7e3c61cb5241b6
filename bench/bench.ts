import { startNginx } from './baselines/nginx.ts';
import { startPortkey } from './baselines/portkey.ts';
import { layGround, type Ground } from './ground/ground.ts';
import { startDriver, type Driver } from './load/driver.ts';
import type { LoadOrder, LoadResults } from './load/orders.ts';
import type { RequestShape } from './load/request-shape.ts';
import { measure, type Measurement } from './measure/measurement.ts';
import type { BaselineName, Options } from './options.ts';
import type { Recorder } from './report/recorder.ts';
import { modelNames } from './models.ts';
import { Calm } from './processes/calm.ts';
import { startPassThrough } from './targets/pass-through.ts';
import { LOCAL, type Target } from './targets/target.ts';
import { startWeir, type Variation } from './targets/weir.ts';

/** Connections of a target to the upstream unless a scenario needs more: UPSTREAM_CONNECTIONS_MAX's default. */
const UPSTREAM_CONNECTIONS = 512;

/** Everything a scenario works with. Made by `openBench`, ended by `close`. */
export class Bench {
  readonly options: Options;
  readonly ground: Ground;
  readonly driver: Driver;
  readonly #recorder: Recorder;
  readonly #baselines: ReadonlyMap<BaselineName, Target>;
  readonly #calm: Calm;
  #floodDriver: Driver | undefined;
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
    baselines: ReadonlyMap<BaselineName, Target>;
  }) {
    this.options = parts.options;
    this.ground = parts.ground;
    this.driver = parts.driver;
    this.#recorder = parts.recorder;
    this.#baselines = parts.baselines;
    this.#calm = new Calm(parts.options.sizes.calmWaitMs);
  }

  /** The upstream itself, called without anything between. */
  get direct(): Target {
    return {
      name: 'direct',
      destination: { host: LOCAL, port: this.ground.upstreamPort },
      pid: this.ground.pids.upstream,
      headers: {},
      tidy: () => undefined,
      stop: () => Promise.resolve(),
    };
  }

  /** The pass-through, which every ratio is against. */
  get passThrough(): Target {
    const target = this.#baselines.get('pass-through');
    if (target === undefined) throw new Error('The pass-through is always started.');
    return target;
  }

  /** A baseline other than the pass-through, when it was asked for. */
  baseline(name: BaselineName): Target | undefined {
    return this.#baselines.get(name);
  }

  /** A second driver, for load that others must not notice. */
  get floodDriver(): Driver {
    return (this.#floodDriver ??= startDriver());
  }

  /**
   * The gateway, with these variables besides the usual ones. One runs at a time, so that no other drains
   * its usage records for it: asking for another variation stops the one before.
   */
  async subject(variation: Variation = {}): Promise<Target> {
    const name = JSON.stringify(variation);
    if (this.#subject !== undefined && this.#subjectVariation === name) return this.#subject;
    await this.#subject?.stop();
    this.#subject = undefined;
    this.#subject = await this.#startSubject(variation);
    this.#subjectVariation = name;
    return this.#subject;
  }

  /** Starts a pass-through of its own, for scenarios that need more connections; the caller stops it. */
  startPassThrough(connectionsMax: number): Promise<Target> {
    return startPassThrough(this.ground.upstreamPort, connectionsMax);
  }

  /** Loads a target with a request until its code is compiled; once per target and kind of request. */
  async warmUp(target: Target, request: RequestShape, kind: string): Promise<void> {
    const warm = this.#warm.get(target) ?? new Set();
    this.#warm.set(target, warm);
    if (warm.has(kind)) return;
    warm.add(kind);
    await this.driver.drive({
      kind: 'saturate',
      destination: target.destination,
      request: forTarget(request, target),
      connections: this.options.sizes.connections,
      seconds: this.options.sizes.warmUpSeconds,
    });
  }

  /** Carries out one order against a target, accounts for it, and writes everything down. */
  async measure<Order extends LoadOrder>(
    target: Target,
    order: Order,
    tags: { readonly scenario: string; readonly round: number } & Readonly<Record<string, unknown>>,
  ): Promise<Measurement<LoadResults[Order['kind']]>> {
    const { upstream, redis, postgres } = this.ground.pids;
    // Latencies need a machine to themselves; CPU time is charged to who uses it.
    if (order.kind === 'open_loop') await this.#calm.wait();
    const measured = await measure(target, order, {
      driver: this.driver,
      pids: { upstream, redis, postgres },
      quietSliceMs: this.options.sizes.quietSliceMs,
    });
    this.#recorder.write({
      line: 'round',
      ...tags,
      target: target.name,
      load: order.kind,
      ...measured,
    });
    return measured;
  }

  async close(): Promise<void> {
    const subject = this.#subject === undefined ? [] : [this.#subject];
    await Promise.all([...this.#baselines.values(), ...subject].map((target) => target.stop()));
    await Promise.all([this.driver.stop(), this.#floodDriver?.stop(), this.ground.stop()]);
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

/** A request with the headers that a target needs besides. */
export function forTarget(request: RequestShape, target: Target): RequestShape {
  return { ...request, headers: { ...request.headers, ...target.headers } };
}

/** Starts the ground, the driver and the baselines. The gateway starts when a scenario asks for it. */
export async function openBench(options: Options, recorder: Recorder): Promise<Bench> {
  const { sizes, against } = options;
  const ground = await layGround({
    accounts: sizes.accounts,
    models: modelNames(sizes),
    fsync: sizes.fsync,
  });
  const baselines = new Map<BaselineName, Target>();
  for (const name of against) {
    const { upstreamPort } = ground;
    if (name === 'nginx') baselines.set(name, await startNginx(upstreamPort, UPSTREAM_CONNECTIONS));
    else if (name === 'portkey') baselines.set(name, await startPortkey(upstreamPort));
    else baselines.set(name, await startPassThrough(upstreamPort, UPSTREAM_CONNECTIONS));
  }
  return new Bench({ options, ground, driver: startDriver(), recorder, baselines });
}
