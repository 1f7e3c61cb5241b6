import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Outcome } from '../attempt-outcome.ts';
import type { Principal } from '../authentication/principal.ts';
import { replyRefusal, type RefusalReply } from '../reply/reply-refusal.ts';
import type { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';
import { RecordingExchange } from './recording-exchange.ts';

/** The parts of a request on its way that a recording needs. */
interface Recordable extends RefusalReply {
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
}

type Served = Pick<Outcome, 'send'>;

/** The sender and the body of a request. */
interface Sent {
  readonly principal: Principal;
  readonly bytes: Buffer;
}

type Serve<Asked, Passage> = (asked: Asked, passage: Passage) => Promise<Served | Refusal>;

/**
 * Serves a request, and records its body and reply, a refusal too, if its key keeps content. The
 * recording ends when the request is concluded.
 */
export function serveRecorded<Asked extends Sent, Passage extends Recordable>(
  asked: Asked,
  passage: Passage,
  serve: Serve<Asked, Passage>,
): Promise<Served | Refusal> {
  const isRecorded = passage.context.content.records(asked.principal);
  return isRecorded ? record(asked, passage, serve) : serve(asked, passage);
}

async function record<Asked extends Sent, Passage extends Recordable>(
  asked: Asked,
  passage: Passage,
  serve: Serve<Asked, Passage>,
): Promise<Served | Refusal> {
  const { exchange, context, trace, dialect } = passage;
  const recording = context.content.begin(asked.bytes);
  trace.recording = recording;
  const recorder = new RecordingExchange(exchange, recording);
  const outcome = await serve(asked, { ...passage, exchange: recorder });
  if (!isRefusal(outcome)) return outcome;
  return { send: () => replyRefusal({ exchange: recorder, trace, dialect }, outcome) };
}
