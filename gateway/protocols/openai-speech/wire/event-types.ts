/** The events of speech. */
export const DELTA = 'speech.audio.delta';
export const DONE = 'speech.audio.done';

/** An event as its stream has it. */
export function eventText(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
