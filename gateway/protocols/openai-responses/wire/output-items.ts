import { randomUUID } from 'node:crypto';
import {
  isOwnJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { unwrapFreeForm } from '../../neutral-form/free-form.ts';
import { builtInMembers } from './built-in-tools.ts';
import type { ClientTool } from './tool-names.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The beginnings of calls' ids, by the kinds of their tools. */
const CALL_PREFIXES = {
  function: 'fc',
  custom: 'ctc',
  tool_search: 'tsc',
  local_shell: 'lsh',
  shell: 'sh',
  apply_patch: 'apc',
} as const satisfies Record<ClientTool['kind'], string>;

type CallPrefix = (typeof CALL_PREFIXES)[ClientTool['kind']];

/** The id of an item that is made here. */
export function newItemId(prefix: 'msg' | 'rs' | 'ig' | CallPrefix): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

export function textPart(text: string, annotations: readonly JsonObject[] = []): OwnJsonObject {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

export function refusalPart(refusal: string): OwnJsonObject {
  return { type: 'refusal', refusal };
}

/** @param phase whether calls follow; undefined while that is not known */
export function messageItem(
  id: string,
  content: readonly OwnJsonObject[],
  {
    status,
    phase,
  }: { readonly status: ItemStatus; readonly phase?: 'commentary' | 'final_answer' | undefined },
): OwnJsonObject {
  const message = { id, type: 'message', role: 'assistant', status };
  return phase === undefined ? { ...message, content } : { ...message, phase, content };
}

/** @param encrypted undefined where the client does not want it */
export function reasoningItem(
  id: string,
  text: string,
  encrypted: string | undefined,
): OwnJsonObject {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  const item = { id, type: 'reasoning', summary };
  return encrypted === undefined ? item : { ...item, encrypted_content: encrypted };
}

/** The identity of a call in the client's reply. */
export interface CallHead {
  readonly id: string;
  readonly callId: string;
  readonly tool: ClientTool;
}

export function callHead(callId: string, tool: ClientTool): CallHead {
  return { id: newItemId(CALL_PREFIXES[tool.kind]), callId, tool };
}

/** A call as the client knows its tool. The input is JSON text, or of a custom tool any text. */
export function callItem(head: CallHead, input: string, status: ItemStatus): OwnJsonObject {
  const { id, callId, tool } = head;
  const base = { id, status, call_id: callId };
  switch (tool.kind) {
    case 'custom':
      return { ...base, type: 'custom_tool_call', ...namesOf(tool), input };
    case 'tool_search':
      return {
        ...base,
        type: 'tool_search_call',
        execution: 'client',
        arguments: objectOf(input) ?? {},
      };
    case 'local_shell':
    case 'shell':
      return {
        ...base,
        type: `${tool.kind}_call`,
        ...builtInMembers(tool.kind, objectOf(input) ?? {}),
      };
    case 'apply_patch':
      return {
        ...base,
        // It knows no other status.
        status: status === 'completed' ? status : 'in_progress',
        type: 'apply_patch_call',
        ...builtInMembers(tool.kind, objectOf(input) ?? {}),
      };
    case 'function':
      return { ...base, type: 'function_call', ...namesOf(tool), arguments: input };
  }
}

function namesOf({ name, namespace }: ClientTool): JsonObject {
  return namespace === '' ? { name } : { name, namespace };
}

/**
 * The input of a call as its tool takes it. An upstream without free-form tools has been offered a
 * function with one string, `input`.
 */
export function inputFor(tool: ClientTool, input: string, freeForm: boolean): string {
  if (tool.kind !== 'custom') return input === '' ? '{}' : input;
  return freeForm ? input : unwrapFreeForm(input);
}

function objectOf(text: string): OwnJsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isOwnJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether the input of a call is complete: a JSON document ends where its value does. */
export function isWhole(input: string): boolean {
  return objectOf(input) !== undefined;
}
