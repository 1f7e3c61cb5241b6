/** Events of a streamed transcript. */
export const DELTA = 'transcript.text.delta';
export const SEGMENT = 'transcript.text.segment';
export const DONE = 'transcript.text.done';
