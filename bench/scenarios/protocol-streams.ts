import { forTarget, type Bench } from '../bench.ts';
import type { ReadStreamsResult } from '../load/read-streams.ts';
import { eitherCaveat, replyCaveat, type Caveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { protocolModels, streamModel, type StreamForm, type StreamProtocol } from '../models.ts';
import { protocolStreamRequest } from '../requests.ts';
import type { Scenario } from './scenario.ts';

type Streams = Measurement<ReadStreamsResult>;
type OtherProtocol = Exclude<StreamProtocol, 'chat'>;

/** The most that a chunk may cost, as a multiple of a chunk of chat over chat. */
const SAME_PROTOCOL_TIMES_MAX = 1.15;
const TRANSLATED_TIMES_MAX = 2;

interface Lane {
  readonly name: string;
  readonly client: StreamForm;
  readonly upstream: StreamForm;
  readonly limit?: number;
}

const CHAT: Lane = { name: 'chat over chat', client: 'chat', upstream: 'chat' };
const MESSAGES: Lane = { name: 'messages over messages', client: 'messages', upstream: 'messages' };

function lanesOf(protocol: OtherProtocol): Lane[] {
  const limit = TRANSLATED_TIMES_MAX;
  return [
    CHAT,
    {
      name: `${protocol} over ${protocol}`,
      client: protocol,
      upstream: protocol,
      limit: SAME_PROTOCOL_TIMES_MAX,
    },
    { name: `${protocol} over chat`, client: protocol, upstream: 'chat', limit },
    { name: `chat over ${protocol}`, client: 'chat', upstream: protocol, limit },
  ];
}

/** Each protocol frames a stream with a few events of its own; none sends fewer than its chunks. */
function streamCaveat(measured: readonly Streams[], chunks: number): Caveat {
  const isWhole = ({ result }: Streams): boolean => result.events >= result.streams * chunks;
  if (measured.every(isWhole)) return replyCaveat(measured);
  return { note: 'some streams were not whole', unjudged: true };
}

/** @param lanes the first is what the others are compared with */
async function measureLanes(bench: Bench, scenario: string, lanes: Lane[]): Promise<Figure[]> {
  const { sizes } = bench.options;
  const chunks = Math.max(...sizes.streamChunks);
  const models = new Map<StreamForm, string>([
    ['chat', streamModel(chunks, sizes)],
    ...protocolModels(sizes).map(({ protocol, publicId }) => [protocol, publicId] as const),
  ]);
  const target = await bench.subject();
  const orders = lanes.map(({ name, client, upstream }) => {
    const model = models.get(upstream) ?? '';
    const request = protocolStreamRequest(client, [bench.ground.keys.hot], model);
    return { name, request: forTarget(request, target) };
  });
  for (const { name, request } of orders) await bench.warmUpStreams([target], request, name);
  const measured = await bench.takeTurns(
    orders.map(({ name, request }) => ({
      name,
      target,
      order: {
        kind: 'read_streams' as const,
        destination: target.destination,
        request,
        connections: sizes.streamsOpen,
        seconds: sizes.seconds,
      },
    })),
    { scenario, chunks },
  );
  const cpuUsPerChunk = ({ cpuUs, result }: Streams): number => cpuUs / (result.streams * chunks);
  const first = measured.get(lanes[0]?.name ?? '') ?? [];
  return lanes.map(({ name, limit }): Figure => {
    const own = measured.get(name) ?? [];
    const caveat = streamCaveat(own, chunks);
    const figure = {
      scenario,
      name: `CPU per chunk, ${name}`,
      target: target.name,
      unit: 'us',
      rounds: own.map(cpuUsPerChunk),
    };
    if (limit === undefined) return { ...figure, ...caveat };
    return {
      ...figure,
      against: { target: target.name, rounds: first.map(cpuUsPerChunk) },
      bar: { of: 'ratio', kind: 'at_most', limit },
      ...eitherCaveat(caveat, streamCaveat(first, chunks)),
    };
  });
}

/**
 * Measures a streamed chunk in another protocol than chat completions, alongside a chunk of chat
 * in the same rounds: passed on as it came, and translated either way.
 */
function protocolStreams(protocol: OtherProtocol): Scenario {
  const name = `streams-${protocol}`;
  return {
    name,
    about: `streams of ${protocol}, passed on and translated: CPU per chunk alongside chat's`,
    run: (bench) => measureLanes(bench, name, lanesOf(protocol)),
  };
}

export const PROTOCOL_STREAMS: readonly Scenario[] = [
  protocolStreams('messages'),
  protocolStreams('responses'),
  protocolStreams('gemini'),
  {
    name: 'streams-bedrock',
    about: 'streams of Messages in AWS’s binary form: CPU per chunk next to server-sent events',
    run: (bench) =>
      measureLanes(bench, 'streams-bedrock', [
        MESSAGES,
        {
          name: 'bedrock over messages',
          client: 'bedrock',
          upstream: 'messages',
          limit: SAME_PROTOCOL_TIMES_MAX,
        },
        {
          name: 'messages over bedrock',
          client: 'messages',
          upstream: 'bedrock',
          limit: SAME_PROTOCOL_TIMES_MAX,
        },
      ]),
  },
];
