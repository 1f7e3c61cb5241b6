/** Rules that several vendors have, made from what differs between them. */
import {
  first,
  isObject,
  items,
  rule,
  text,
  valueAt,
  type Fault,
  type Json,
  type Path,
  type Rule,
} from './rule.ts';
import { checkSchema, type SchemaLimits } from './schema-check.ts';

function unknownKey(object: Json, known: readonly string[], path: Path): Fault | undefined {
  const key = Object.keys(object).find((name) => !known.includes(name));
  return key === undefined ? undefined : { kind: 'unknown', path: [...path, key] };
}

/** Refuses every field of the body but these. */
export function onlyFields(source: string, known: readonly string[]): Rule {
  return rule('unknown field', source, (body) => unknownKey(body, known, []));
}

/** Refuses every field of messages but these, by role, and roles that are not among them. */
export function onlyMessageFields(
  source: string,
  byRole: Readonly<Record<string, readonly string[]>>,
): Rule {
  return rule('message field', source, ({ messages }) =>
    first(items(messages), ([at, message]) => {
      const known = byRole[text(message['role'])];
      return known && unknownKey(message, ['role', 'content', ...known], ['messages', at]);
    }),
  );
}

/** Refuses fields of parts and of functions that no SDK knows, such as `cache_control`. */
export function onlyPartFields(
  source: string,
  parts: Readonly<Record<string, readonly string[]>>,
  functionFields: readonly string[],
): Rule {
  return rule('part field', source, ({ messages, tools }) => {
    const inParts = first(items(messages), ([at, { content }]) =>
      first(items(content), ([index, part]) => {
        const known = parts[text(part['type'])];
        const path = ['messages', at, 'content', index];
        if (known === undefined) {
          const allowed = Object.keys(parts);
          return { kind: 'value', path: [...path, 'type'], value: part['type'], allowed };
        }
        return unknownKey(part, ['type', ...known], path);
      }),
    );
    if (inParts !== undefined) return inParts;
    return first(items(tools), ([at, tool]) => {
      const path = ['tools', at];
      const { function: fn } = tool;
      return (
        (tool['type'] === 'function' ? unknownKey(tool, ['type', 'function'], path) : undefined) ??
        (isObject(fn) ? unknownKey(fn, functionFields, [...path, 'function']) : undefined)
      );
    });
  });
}

/** Refuses fields that the vendor knows, but not with this model. */
export function unsupported(
  source: string,
  fields: readonly string[],
  {
    name = fields.join(', '),
    instead,
    unless,
  }: {
    readonly name?: string;
    readonly instead?: string;
    readonly unless?: (body: Json) => boolean;
  } = {},
): Rule {
  return rule(name, source, (body) => {
    if (unless?.(body) === true) return undefined;
    const field = fields.find((name) => valueAt(body, name) !== undefined);
    return field === undefined
      ? undefined
      : { kind: 'unsupported', path: field.split('.'), instead };
  });
}

/** Refuses every value of a field but these; `unless` says when any is accepted. */
export function only(
  source: string,
  field: string,
  allowed: readonly unknown[],
  unless: (body: Json) => boolean = () => false,
): Rule {
  return rule(field, source, (body) => {
    const value = valueAt(body, field);
    if (value === undefined || allowed.includes(value) || unless(body)) return undefined;
    return { kind: 'value', path: field.split('.'), value, allowed };
  });
}

export function range(source: string, field: string, min: number, max = Infinity): Rule {
  return rule(field, source, (body) => {
    const value = valueAt(body, field);
    if (typeof value !== 'number' || (value >= min && value <= max)) return undefined;
    const kind = value < min ? 'below' : 'above';
    return { kind, path: field.split('.'), value, limit: value < min ? min : max };
  });
}

/** Refuses longer texts and lists in a field. */
export function lengthMax(source: string, field: string, max: number): Rule {
  return rule(field, source, (body) => {
    const value = valueAt(body, field);
    const path = field.split('.');
    if (typeof value === 'string' && value.length > max && field !== 'stop') {
      return { kind: 'long', path, length: value.length, max };
    }
    if (!Array.isArray(value) || value.length <= max) return undefined;
    return { kind: 'many', path, count: value.length, max };
  });
}

function checkText(path: Path, value: string, pattern: RegExp, max: number): Fault | undefined {
  if (value.length > max) return { kind: 'long', path, length: value.length, max };
  return pattern.test(value)
    ? undefined
    : { kind: 'pattern', path, pattern: pattern.source, value };
}

/** Refuses names of tools, also those of calls in the history. */
export function toolNames(source: string, pattern: RegExp, max: number, historyMax = max): Rule {
  return rule(
    'tool name',
    source,
    (_body, { tools, calls }) =>
      first(tools, ({ path, name }) => checkText(path, name, pattern, max)) ??
      first(calls, ({ namePath, name }) => checkText(namePath, name, pattern, historyMax)),
  );
}

export function callIds(source: string, pattern: RegExp, max: number): Rule {
  return rule(
    'call id',
    source,
    (_body, { calls, results }) =>
      first(calls, ({ idPath, id }) => checkText(idPath, id, pattern, max)) ??
      first(results, ({ path, id }) => checkText(path, id, pattern, max)),
  );
}

/** Refuses tools whose schema the vendor's validator does not take. */
export function toolSchemas(
  source: string,
  limits: SchemaLimits,
  which: 'all' | 'strict' | 'required' = 'all',
): Rule {
  return rule(which === 'strict' ? 'strict tool schema' : 'tool schema', source, (_body, view) =>
    first(view.tools, ({ name, schema, schemaPath, strict }) => {
      if (which === 'strict' && !strict) return undefined;
      if (which === 'required' && schema === undefined) {
        return { kind: 'unsupported', path: schemaPath };
      }
      const fault = checkSchema(schema, limits);
      return fault && { kind: 'schema', path: schemaPath, owner: `function '${name}'`, ...fault };
    }),
  );
}

/** Refuses a reply's schema that the vendor's validator does not take. */
export function formatSchema(source: string, limits: SchemaLimits, strictOnly = false): Rule {
  return rule('format schema', source, (_body, { format }) => {
    if (format === undefined || (strictOnly && !format.strict)) return undefined;
    const fault = checkSchema(format.schema, limits);
    const owner = `response_format '${format.name}'`;
    return fault && { kind: 'schema', path: format.path, owner, ...fault };
  });
}

/** Refuses roles of messages. */
export function roles(source: string, known: readonly string[]): Rule {
  return rule('role', source, ({ messages }) =>
    first(items(messages), ([at, { role }]) =>
      known.includes(text(role))
        ? undefined
        : { kind: 'value', path: ['messages', at, 'role'], value: role, allowed: known },
    ),
  );
}

/** Refuses images of other media types; `addresses` says whether the vendor fetches images. */
export function imageTypes(source: string, types: readonly string[], addresses = true): Rule {
  return rule('image type', source, (_body, { images }) =>
    first(images, ({ path, type, url }) => {
      if (type !== undefined && !types.includes(type)) {
        return { kind: 'value', path, value: type, allowed: types };
      }
      return url !== undefined && !addresses
        ? { kind: 'value', path, value: url, allowed: types }
        : undefined;
    }),
  );
}

/** A sentence of the vendor's for whatever the other rules do not say. */
export function says(
  name: string,
  source: string,
  check: (...given: Parameters<Rule['check']>) => string | undefined,
  field: string = name,
): Rule {
  return rule(name, source, (body, view) => {
    const message = check(body, view);
    return message === undefined
      ? undefined
      : { kind: 'sentence', path: field.split('.'), message };
  });
}

/** Chat: each call of the assistant has its result right behind it, and each result its call. */
export function chatCallOrder(source: string): Rule {
  return says(
    'messages',
    source,
    ({ messages }) => {
      let open = new Set<string>();
      for (const [, { role, tool_calls: calls, tool_call_id: id }] of items(messages)) {
        if (role === 'tool') {
          if (!open.delete(text(id))) {
            return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
          }
          continue;
        }
        if (open.size > 0) break;
        open = new Set(items(calls).map(([, call]) => text(call['id'])));
        if (open.size < items(calls).length) return 'Duplicate tool call ids in one message.';
      }
      return open.size === 0
        ? undefined
        : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
    },
    'messages',
  );
}

/** Reports whether a request forces the model to call a tool (chat). */
export function forcesTool({ tool_choice: choice }: Json): boolean {
  return choice === 'required' || choice === 'any' || isObject(choice);
}

export function hasTools({ tools }: Json): boolean {
  return Array.isArray(tools) && tools.length > 0;
}
