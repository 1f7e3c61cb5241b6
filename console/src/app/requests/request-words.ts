import type { Tone } from '../design/text/chip';

/** How bad it is: a client that left is nobody's failure, and a limit does what it is there for. */
export function requestTone(code: string | null): Tone {
  if (code === null) return 'good';
  if (code === 'client_disconnected') return 'plain';
  return /limit|insufficient|budget|exhausted/.test(code) ? 'warn' : 'bad';
}
