import type { RequestHead } from '../../protocols/protocol.ts';
import type { ReceivedForm } from '../http/body/incoming-form.ts';
import type { ThreadContext } from '../thread-context.ts';

/** A form as protocols read it. */
interface OpenForm {
  readonly bytes: Buffer;
  readonly head: RequestHead;
}

/**
 * Prepares a form for its protocol. Sound that is on disk is measured on the worker pool first: the
 * hold depends on its duration, and measuring reads all of the file.
 */
export async function openForm(
  { text, storedAt }: ReceivedForm,
  head: RequestHead,
  { context: { workers } }: { readonly context: Pick<ThreadContext, 'workers'> },
): Promise<OpenForm> {
  const { operation } = head.endpoint;
  // A transcript is of one file.
  const [first] = operation === 'transcribe' || operation === 'translate' ? storedAt : [];
  if (first === undefined) return { bytes: text, head: { ...head, storedAt } };
  const [textAt, content] = first;
  const { file, at, length } = content;
  const sound = await workers.measureSound({ descriptor: file.descriptor, at, length });
  const measured = new Map(storedAt).set(textAt, { ...content, sound });
  return { bytes: text, head: { ...head, storedAt: measured } };
}
