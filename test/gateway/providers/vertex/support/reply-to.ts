import {
  wholeReply,
  streamedReply,
} from '../../../../support/upstreams/strict-upstream/replies.ts';
import { PROOF, type Turn } from '../../../data-plane/settlement/support/turn-upstreams.ts';

type Json = Record<string, unknown>;

interface Form {
  readonly isStreamed: boolean;
  /** The stream has no end. */
  readonly isCut: boolean;
}

interface Replied {
  readonly json?: unknown;
  readonly events?: readonly string[];
  readonly cut?: boolean;
}

/** A turn as a vendor replies with it, in the form that was asked for. */
export function replyTo(
  protocol: 'anthropic-messages' | 'gemini',
  turn: Turn,
  { isStreamed, isCut }: Form,
): Replied {
  if (!isStreamed) return { json: withThought(protocol, turn) };
  const events = streamedReply(protocol, turn);
  return isCut ? { events: events.slice(0, -2), cut: true } : { events };
}

function withThought(protocol: 'anthropic-messages' | 'gemini', turn: Turn): Json {
  const whole = wholeReply(protocol, turn) as Json;
  const { thought } = turn;
  if (thought === undefined) return whole;
  if (protocol === 'anthropic-messages') {
    const block = { type: 'thinking', thinking: thought, signature: PROOF };
    return { ...whole, content: [block, ...(whole['content'] as Json[])] };
  }
  const [candidate] = whole['candidates'] as { content: { parts: Json[] } }[];
  const [first, ...rest] = candidate?.content.parts ?? [];
  const parts = [{ text: thought, thought: true }, { ...first, thoughtSignature: PROOF }, ...rest];
  return { ...whole, candidates: [{ ...candidate, content: { role: 'model', parts } }] };
}
