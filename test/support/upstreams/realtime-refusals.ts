type Json = Record<string, unknown>;

/** The error of an event that the vendor does not take. */
export interface RefusedEvent {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
}

const SESSION_FIELDS = new Set(
  'type audio include instructions max_output_tokens model output_modalities parallel_tool_calls prompt reasoning tool_choice tools tracing truncation'.split(
    ' ',
  ),
);
const RESPONSE_FIELDS = new Set(
  'audio conversation input instructions max_output_tokens metadata output_modalities parallel_tool_calls prompt reasoning tool_choice tools'.split(
    ' ',
  ),
);
const CLIENT_EVENTS = [
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.truncate',
  'conversation.item.delete',
  'conversation.item.retrieve',
  'response.create',
  'response.cancel',
];
/** Refuses what OpenAI refuses, in its words. */
export function refusalOf(event: Json): RefusedEvent | undefined {
  const { type } = event;
  if (!CLIENT_EVENTS.includes(String(type))) {
    const names = CLIENT_EVENTS.map((one) => `'${one}'`).join(', ');
    const message = `Invalid value: '${String(type)}'. Supported values are: ${names}.`;
    return { message, code: 'invalid_value', param: 'type' };
  }
  const unknown =
    unknownField(event, 'session', SESSION_FIELDS) ??
    unknownField(event, 'response', RESPONSE_FIELDS);
  if (unknown !== undefined) {
    return {
      message: `Unknown parameter: '${unknown}'.`,
      code: 'unknown_parameter',
      param: unknown,
    };
  }
  if (
    type === 'session.update' &&
    (event['session'] as Json | undefined)?.['type'] !== 'realtime'
  ) {
    const message = "Missing required parameter: 'session.type'.";
    return { message, code: 'missing_required_parameter', param: 'session.type' };
  }
  return undefined;
}

function unknownField(event: Json, member: string, known: ReadonlySet<string>): string | undefined {
  const fields = event[member];
  if (typeof fields !== 'object' || fields === null) return undefined;
  const name = Object.keys(fields).find((one) => !known.has(one));
  return name === undefined ? undefined : `${member}.${name}`;
}
