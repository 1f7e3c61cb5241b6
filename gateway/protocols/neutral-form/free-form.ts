/**
 * Free-form tools at upstreams that have none: they are offered a function whose one argument is a
 * text, and the calls of it are unwrapped for the client.
 */
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import type { NeutralTool } from './request.ts';

/** The arguments of such a function. */
export const FREE_FORM_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/**
 * Its description, with the grammar that the upstream cannot enforce; undefined when there is
 * neither.
 */
export function freeFormDescription({ description, grammar }: NeutralTool): string | undefined {
  if (grammar === undefined) return description;
  const { syntax, definition } = grammar;
  const rule = `"input" follows this grammar (${String(syntax)}):\n${String(definition)}`;
  return description === undefined ? rule : `${description}\n\n${rule}`;
}

/** The input of a free-form call as the arguments of such a function. */
export function wrapFreeForm(input: string): string {
  return JSON.stringify({ input });
}

/** The input in such arguments; the arguments themselves where a model wrote something else. */
export function unwrapFreeForm(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const input = isJsonObject(value) ? value['input'] : undefined;
    return typeof input === 'string' ? input : text;
  } catch {
    return text;
  }
}
