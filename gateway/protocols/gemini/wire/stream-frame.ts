/**
 * The frame that a stream puts around each of its replies: server-sent events, or the elements of
 * one JSON array.
 */
export interface StreamFrame {
  /** @param json an object as JSON text on one line */
  event(json: string): string;
  /** The bytes behind the last event. */
  close(): string;
}

/** Google ends these streams without an event of their own. */
class EventFrame implements StreamFrame {
  event(json: string): string {
    return `data: ${json}\n\n`;
  }

  close(): string {
    return '';
  }
}

class ArrayFrame implements StreamFrame {
  #begun = false;

  event(json: string): string {
    const before = this.#begun ? ',\n' : '[';
    this.#begun = true;
    return before + json;
  }

  close(): string {
    return this.#begun ? ']' : '[]';
  }
}

export function openFrame(request: { readonly serverSentEvents: boolean }): StreamFrame {
  return request.serverSentEvents ? new EventFrame() : new ArrayFrame();
}

/**
 * Keeps a stream of events alive. It is a reply without parts: Gemini CLI gives up at a comment,
 * and the usage of a reply that has nothing else would replace the real one where it came last.
 */
export const EVENT_KEEP_ALIVE =
  'data: {"candidates":[{"content":{"role":"model","parts":[]},"index":0}]}\n\n';

/** White space between the elements of an array. */
export const ARRAY_KEEP_ALIVE = '\n';
