/** The events of a stream of Responses, parsed. */
export interface ResponsesEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

/** Parses the text of a stream; every event must be its name and one line of data. */
export function parseEvents(text: string): ResponsesEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
      if (name === undefined || data === undefined) throw new Error(`not an event: ${block}`);
      const event = JSON.parse(data) as ResponsesEvent;
      if (event.type !== name) throw new Error(`${name} is of the type ${event.type}`);
      return event;
    });
}

/** An event as an upstream sends it. */
export function responsesEvent(type: string, sequence: number, fields: object): string {
  const data = JSON.stringify({ type, sequence_number: sequence, ...fields });
  return `event: ${type}\ndata: ${data}\n\n`;
}

/** The text of all deltas. */
export function textOf(events: readonly ResponsesEvent[]): string {
  return events
    .filter(({ type }) => type === 'response.output_text.delta')
    .map(({ delta }) => String(delta))
    .join('');
}
