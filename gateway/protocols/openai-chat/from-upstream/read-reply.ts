import {
  isOwnJsonObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart, ToolCallPart } from '../../neutral-form/request.ts';
import { readUrlCitations } from '../../openai-family/url-citations.ts';
import { readUsage } from '../../openai-family/usage.ts';
import { readMessagesOf } from './chat-reply.ts';
import { choiceEnd } from '../wire/end-reason.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { readMadeImages } from '../wire/images.ts';
import { readSignedReasoning } from '../wire/reasoning-details.ts';
import { calleeOf, toolTextKey } from './tool-call.ts';

/**
 * An upstream's whole reply; undefined when it is no chat completion. Of several choices the first.
 */
export function readReply(body: Buffer): NeutralReply | undefined {
  const read = readMessagesOf(body);
  const [first] = read?.messages ?? [];
  if (read === undefined || first === undefined) return undefined;
  const { choice, message } = first;
  const calls = callsOf(message);
  const refusal = stringOf(message['refusal']);
  const parts: AssistantPart[] = [...readSignedReasoning(message)];
  const text = textOf(message['content']);
  const citations = readUrlCitations(message['annotations']);
  if (text !== '') parts.push({ type: 'text', text, ...(citations.length > 0 && { citations }) });
  parts.push(...readMadeImages(message), ...calls);
  const { reason: end, ...sequence } = choiceEnd(choice, calls.length > 0);
  return {
    id: stringOf(read.reply['id']),
    parts,
    ...(refusal === '' ? {} : { refusal }),
    end,
    ...sequence,
    usage: readUsage(read.reply['usage'], read.reply['service_tier']) ?? null,
  };
}

/** Returns the text of a content: of a list, which may have images in it, its texts. */
export function textOf(content: unknown): string {
  if (!Array.isArray(content)) return stringOf(content);
  return content.map((part) => (isOwnJsonObject(part) ? stringOf(part['text']) : '')).join('');
}

function callsOf(message: OwnJsonObject): ToolCallPart[] {
  const calls: unknown = message['tool_calls'];
  return (Array.isArray(calls) ? calls.filter(isOwnJsonObject) : []).flatMap((call) => {
    const called = calleeOf(call);
    return called === undefined ? [] : [readCall(call, called)];
  });
}

function readCall(call: OwnJsonObject, called: OwnJsonObject): ToolCallPart {
  const key = toolTextKey(call);
  return {
    type: 'tool_call',
    id: stringOf(call['id']),
    name: stringOf(called['name']),
    input: stringOf(called[key]),
    freeForm: key === 'input',
    ...callProof(call),
  };
}

/** The thought signature of a call, which an upstream of this protocol wants back. */
export function callProof(call: JsonObject): { readonly proof?: Proof } {
  const value = thoughtSignatureOf(call);
  return value === '' ? {} : { proof: { of: 'openai-chat', value } };
}
