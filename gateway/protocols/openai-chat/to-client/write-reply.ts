import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { carryProof } from '../../neutral-form/proofs/proof.ts';
import { CallOrder } from '../wire/call-order.ts';
import { rememberCallProof } from '../wire/call-proofs.ts';
import { unwrapFreeForm } from '../../neutral-form/free-form.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { ToolCallPart } from '../../neutral-form/request.ts';
import { chatAnnotation } from '../../openai-family/url-citations.ts';
import { usageObject } from '../../openai-family/usage.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';
import { finishReason } from '../wire/end-reason.ts';
import { extraContent } from '../wire/extra-content.ts';
import { imagesMember } from '../wire/images.ts';
import { reasoningDetails } from '../wire/reasoning-details.ts';
import { ReplyFrame } from '../../openai-family/chunks/reply-frame.ts';
import { freeFormNames } from '../wire/tools.ts';

/** A whole reply for a client of chat completions. */
export function writeReply(
  reply: NeutralReply,
  request: ChatRequest,
  usage: TokenCounts | null,
): Buffer {
  const { id, parts, end } = reply;
  const freeForm = freeFormNames(request);
  const calls = parts
    .filter((part) => part.type === 'tool_call')
    .map((call) => (freeForm.has(call.name) ? unwrapped(call) : call));
  const choice = {
    index: 0,
    message: writeMessage(reply, calls),
    logprobs: null,
    finish_reason: finishReason(end, calls.length > 0),
  };
  const completion = new ReplyFrame(request.model, 'chat.completion').around({
    ...(id === '' ? {} : { id }),
    choices: [choice],
    ...(usage === null ? {} : { usage: usageObject(usage) }),
  });
  return Buffer.from(JSON.stringify(completion));
}

function writeMessage(
  { parts, refusal }: NeutralReply,
  calls: readonly ToolCallPart[],
): JsonObject {
  const texts = parts.filter((part) => part.type === 'text');
  const text = texts.map((part) => part.text).join('');
  const citations = texts.flatMap((part) => part.citations ?? []);
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const thought = reasoning.map((part) => part.text).join('');
  const details = reasoningDetails(reasoning);
  const images = parts.filter((part) => part.type === 'image');
  const silent = text === '' && (calls.length > 0 || refusal !== undefined);
  return {
    role: 'assistant',
    content: silent ? null : text,
    refusal: refusal ?? null,
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...imagesMember(images),
    ...(citations.length === 0 ? {} : { annotations: citations.map(chatAnnotation) }),
    ...(calls.length === 0 ? {} : { tool_calls: writeCalls(parts, calls) }),
  };
}

/** A call of a free-form tool that its upstream took for a function. */
function unwrapped(call: ToolCallPart): ToolCallPart {
  return call.freeForm ? call : { ...call, input: unwrapFreeForm(call.input), freeForm: true };
}

/** @param parts have the texts between the calls, which are written in another form */
function writeCalls(
  parts: NeutralReply['parts'],
  calls: readonly ToolCallPart[],
): readonly JsonObject[] {
  const order = new CallOrder();
  const places = parts.flatMap((part) => {
    if (part.type === 'text') order.addText(part.text);
    return part.type === 'tool_call' ? [order.addCall(part)] : [];
  });
  order.end();
  return calls.map((call, at) => writeCall(call, places[at]));
}

function writeCall(
  { id, name, input, freeForm, proof }: ToolCallPart,
  place: JsonObject | undefined,
): JsonObject {
  const extra = extraContent(proof && carryProof(proof), place);
  if (proof !== undefined) rememberCallProof({ id, name }, proof);
  return freeForm
    ? { id, type: 'custom', custom: { name, input }, ...extra }
    : { id, type: 'function', function: { name, arguments: input || '{}' }, ...extra };
}
