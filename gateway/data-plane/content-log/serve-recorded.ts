import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Outcome } from '../attempt-outcome.ts';
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

/**
 * Serves a request whose body and reply are recorded, its refusal too. The recording ends when the
 * request is concluded.
 */
export async function serveRecorded<Passage extends Recordable>(
  passage: Passage,
  body: Buffer,
  serve: (recorded: Passage) => Promise<Served | Refusal>,
): Promise<Served> {
  const { exchange, context, trace, dialect } = passage;
  const recording = context.content.begin(body);
  trace.recording = recording;
  const recorder = new RecordingExchange(exchange, recording);
  const outcome = await serve({ ...passage, exchange: recorder });
  if (!isRefusal(outcome)) return outcome;
  return { send: () => replyRefusal({ exchange: recorder, trace, dialect }, outcome) };
}
