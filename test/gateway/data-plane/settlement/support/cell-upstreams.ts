/** The upstreams of the matrix: protocols at their vendors, and interfaces of two clouds. */
import {
  UPSTREAMS,
  VERTEX_GEMINI,
  type CountingUpstream,
  type Spoken,
  type SpokenByUpstream,
} from './one-turn.ts';
import { TURN_UPSTREAMS, type TurnUpstream } from './turn-upstreams.ts';

export interface CellUpstream {
  /** The end of its model's public ID: `on-gemini`. */
  readonly name: string;
  readonly server: 'vendor' | 'aws' | 'google';
  readonly kind: string;
  /** Those that its channel is set to; null: those of its kind. */
  readonly protocols: readonly SpokenByUpstream[] | null;
  readonly upstreamModel: string;
  /** One turn, by what it counts and by what it says. */
  readonly counted: CountingUpstream;
  readonly turns: TurnUpstream;
  /** The clients whose words for a tier reach it. */
  readonly takesTierOf: readonly Spoken[];
}

const OTHERS: readonly Spoken[] = ['openai-chat', 'openai-responses', 'gemini'];
const ALL: readonly Spoken[] = [...OTHERS, 'anthropic-messages'];

function spoken<Upstream extends { readonly protocol: SpokenByUpstream }>(
  upstreams: readonly Upstream[],
  protocol: SpokenByUpstream,
): Upstream {
  const found = upstreams.find((upstream) => upstream.protocol === protocol);
  if (found === undefined) throw new Error(`no upstream speaks ${protocol}`);
  return found;
}

function atVendor(
  protocol: Spoken,
  more: Pick<CellUpstream, 'kind' | 'protocols' | 'takesTierOf'> & Partial<CellUpstream>,
): CellUpstream {
  return {
    name: protocol,
    server: 'vendor',
    upstreamModel: `on-${protocol}`,
    counted: spoken(UPSTREAMS, protocol),
    turns: spoken(TURN_UPSTREAMS, protocol),
    ...more,
  };
}

export const VENDOR_UPSTREAMS: readonly CellUpstream[] = [
  atVendor('openai-chat', { kind: 'openai', protocols: ['openai-chat'], takesTierOf: ALL }),
  atVendor('openai-responses', {
    kind: 'openai',
    protocols: ['openai-responses'],
    takesTierOf: ALL,
  }),
  // An unknown model gets JSON schemas as a tool; this one has a format of its own for them.
  // Its `speed` needs a beta that only its own clients name.
  atVendor('anthropic-messages', {
    kind: 'anthropic',
    protocols: null,
    upstreamModel: 'claude-sonnet-4-5',
    takesTierOf: ['anthropic-messages'],
  }),
  // It has no fast tier.
  atVendor('gemini', { kind: 'gemini', protocols: null, takesTierOf: OTHERS }),
];

const CLOUD_UPSTREAMS: readonly CellUpstream[] = [
  {
    ...atVendor('anthropic-messages', { kind: 'bedrock', protocols: null, takesTierOf: [] }),
    name: 'invoke-model',
    server: 'aws',
    upstreamModel: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  },
  {
    name: 'converse',
    server: 'aws',
    kind: 'bedrock',
    protocols: ['bedrock-converse'],
    upstreamModel: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    counted: spoken(UPSTREAMS, 'bedrock-converse'),
    turns: spoken(TURN_UPSTREAMS, 'bedrock-converse'),
    takesTierOf: OTHERS,
  },
  {
    ...atVendor('anthropic-messages', { kind: 'vertex', protocols: null, takesTierOf: [] }),
    name: 'vertex-claude',
    server: 'google',
    upstreamModel: 'claude-sonnet-4-5@20250929',
  },
  {
    ...atVendor('gemini', { kind: 'vertex', protocols: null, takesTierOf: OTHERS }),
    name: 'vertex-gemini',
    server: 'google',
    upstreamModel: 'gemini-2.5-pro',
    counted: VERTEX_GEMINI,
  },
];

export const CELL_UPSTREAMS: readonly CellUpstream[] = [...VENDOR_UPSTREAMS, ...CLOUD_UPSTREAMS];
