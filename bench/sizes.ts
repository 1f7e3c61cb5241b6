/** The sizes of a run. `tiny` only shows that every scenario works; it measures nothing. */
export interface Sizes {
  /** Length of one measurement. */
  readonly seconds: number;
  /** Measurements per target; targets take turns and medians count. */
  readonly rounds: number;
  /**
   * Load on each target before its first measurement of a kind, so that its code is compiled. V8
   * compiles what has run often: a gateway's CPU per request falls for some ten seconds of load, a
   * pass-through's for two.
   */
  readonly warmUpSeconds: number;
  /**
   * The same with streams, which begin a fiftieth as often as short requests: their CPU per chunk
   * falls for a minute and more.
   */
  readonly streamWarmUpSeconds: number;
  /** Clients of the closed loop. */
  readonly connections: number;
  /** Time for which the open loop sends before it measures. */
  readonly leadInSeconds: number;
  /**
   * The closed loop sends so many requests, however long they take; null to send for `seconds`. For
   * `tiny`: where many tests share the machine, it may get no reply within a tenth of a second.
   */
  readonly saturatingRequests: number | null;
  /** Accounts with a key each. */
  readonly accounts: number;
  /** Different keys of a flood of unknown ones. */
  readonly unknownKeys: number;
  /** Rates of the open loop as shares of saturation. */
  readonly rateShares: readonly number[];
  /** Chunks per stream. */
  readonly streamChunks: readonly number[];
  /** Time between two chunks of a stream. */
  readonly chunkIntervalMs: number;
  /** Streams read at once. */
  readonly streamsOpen: number;
  /** Megabytes of images or sound in one measurement, as replies that are all read to their end. */
  readonly mediaMegabytes: number;
  /** Length of one image in base64. */
  readonly imageBytes: number;
  /** Length of one file of sound. */
  readonly speechBytes: number;
  /** Events of sound in one spoken reply. */
  readonly spokenEvents: number;
  /** Realtime sessions that are open at once. */
  readonly sessionsOpen: number;
  readonly uploads: Uploads;
  /** Streams held open for memory; the larger count decides. */
  readonly streamsHeld: readonly number[];
  /** Turns of the agent's history; 96 make 200 kB. */
  readonly agentTurns: number;
  readonly slowMs: number;
  readonly slowInFlight: number;
  readonly growth: Growth;
  /** False leaves out what a request costs after its reply, which takes seconds to wait for. */
  readonly waitsForBook: boolean;
  /** A gateway that used next to no CPU for this long is done with what it was sent. */
  readonly quietSliceMs: number;
  /**
   * Time for which each gateway is left alone before it is watched: for some ten seconds after its
   * start V8 still collects and compiles.
   */
  readonly restSeconds: number;
  /** Time for which it is then watched, to measure it idle. */
  readonly idleSeconds: number;
  /** See measure/take-turns.ts. */
  readonly settleUpLate: boolean;
  /** Time that a run may spend on waiting for other programs to leave the machine alone. */
  readonly calmWaitMs: number;
  readonly fsync: boolean;
}

/** Forms that arrive at the same time. */
export interface Uploads {
  readonly count: number;
  /** The file in each. */
  readonly bytes: number;
  /** The pace of each: together they are far from what the machine can take. */
  readonly bytesPerSecond: number;
}

/** The points of the growth curves. */
export interface Growth {
  readonly connections: readonly number[];
  readonly accounts: readonly number[];
  readonly models: readonly number[];
  readonly threads: readonly number[];
  readonly workers: readonly number[];
}

const FULL: Sizes = {
  seconds: 4,
  rounds: 5,
  warmUpSeconds: 15,
  streamWarmUpSeconds: 70,
  connections: 64,
  leadInSeconds: 2,
  saturatingRequests: null,
  accounts: 10_000,
  unknownKeys: 32_768,
  rateShares: [0.25, 0.5, 0.75],
  streamChunks: [50, 500],
  chunkIntervalMs: 4,
  streamsOpen: 40,
  mediaMegabytes: 800,
  imageBytes: 4_000_000,
  speechBytes: 1_000_000,
  spokenEvents: 100,
  sessionsOpen: 40,
  uploads: { count: 50, bytes: 50_000_000, bytesPerSecond: 500_000 },
  streamsHeld: [1_000, 10_000],
  agentTurns: 96,
  slowMs: 2_000,
  slowInFlight: 5_000,
  growth: {
    connections: [1, 8, 64, 256, 1_024],
    accounts: [1, 100, 10_000],
    models: [1, 100, 1_000],
    threads: [1, 2],
    workers: [1, 2],
  },
  waitsForBook: true,
  quietSliceMs: 250,
  restSeconds: 15,
  idleSeconds: 5,
  settleUpLate: false,
  calmWaitMs: 180_000,
  fsync: true,
};

const QUICK: Sizes = {
  ...FULL,
  uploads: { count: 50, bytes: 5_000_000, bytesPerSecond: 250_000 },
  seconds: 1,
  leadInSeconds: 0.5,
  rounds: 3,
  warmUpSeconds: 1,
  streamWarmUpSeconds: 1,
  rateShares: [0.5],
  mediaMegabytes: 300,
  chunkIntervalMs: 2,
  quietSliceMs: 150,
  restSeconds: 5,
  idleSeconds: 2,
  settleUpLate: true,
  calmWaitMs: 5_000,
  growth: {
    connections: [8, 256],
    accounts: [1, 10_000],
    models: [1, 1_000],
    threads: [2],
    workers: [2],
  },
};

const TINY: Sizes = {
  seconds: 0.1,
  rounds: 1,
  warmUpSeconds: 0.1,
  streamWarmUpSeconds: 0.1,
  connections: 4,
  leadInSeconds: 0.05,
  saturatingRequests: 200,
  accounts: 24,
  unknownKeys: 16,
  rateShares: [0.5],
  streamChunks: [5, 50],
  chunkIntervalMs: 1,
  streamsOpen: 4,
  mediaMegabytes: 1,
  imageBytes: 100_000,
  speechBytes: 50_000,
  spokenEvents: 5,
  sessionsOpen: 3,
  uploads: { count: 4, bytes: 200_000, bytesPerSecond: 2_000_000 },
  streamsHeld: [10, 20],
  agentTurns: 4,
  slowMs: 50,
  slowInFlight: 10,
  growth: { connections: [2], accounts: [8], models: [4], threads: [2], workers: [2] },
  waitsForBook: false,
  quietSliceMs: 20,
  restSeconds: 0.05,
  idleSeconds: 0.05,
  settleUpLate: true,
  calmWaitMs: 0,
  fsync: false,
};

export const SIZES = { full: FULL, quick: QUICK, tiny: TINY } as const;
export type SizeName = keyof typeof SIZES;
