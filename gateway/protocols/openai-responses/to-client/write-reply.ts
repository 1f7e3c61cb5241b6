import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { carryPlacedProof } from '../../neutral-form/proofs/proof-place.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart, MediaSource, TextPart } from '../../neutral-form/request.ts';
import { responsesAnnotation } from '../../openai-family/url-citations.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { newResponseId } from './render-error.ts';
import { responseEnd } from '../wire/end-reason.ts';
import {
  callHead,
  callItem,
  inputFor,
  messageItem,
  newItemId,
  reasoningItem,
  refusalPart,
  textPart,
} from '../wire/output-items.ts';
import { imageItem } from '../wire/images.ts';
import { clientContext, type ClientContext } from '../wire/client-context.ts';
import { usageObject } from '../usage.ts';

/** Ids and times stay the same when a reply is written again with other counts. */
const frames = new WeakMap<
  NeutralReply,
  { id: string; output: readonly OwnJsonObject[]; at: number }
>();

/** Writes a whole reply for a client. */
export function writeReply(
  reply: NeutralReply,
  request: ResponsesRequest,
  usage: TokenCounts | null,
): Buffer {
  const context = clientContext(request);
  let frame = frames.get(reply);
  if (frame === undefined) {
    const at = Math.floor(Date.now() / 1000);
    frame = { id: newResponseId(), output: writeOutput(reply, context), at };
    frames.set(reply, frame);
  }
  const response = {
    ...context.echo,
    id: frame.id,
    object: 'response',
    created_at: frame.at,
    completed_at: frame.at,
    background: false,
    error: null,
    previous_response_id: null,
    ...responseEnd(reply.end),
    model: request.model,
    output: frame.output,
    service_tier: 'default',
    tools: [],
    usage: usage === null ? null : usageObject(usage),
  };
  return Buffer.from(JSON.stringify(response));
}

function writeOutput(
  { parts, refusal = '' }: NeutralReply,
  context: ClientContext,
): OwnJsonObject[] {
  const items: OwnJsonObject[] = [];
  const calls = parts.some(({ type }) => type === 'tool_call');
  const phase = calls ? 'commentary' : 'final_answer';
  let texts: TextPart[] = [];
  let from = 0;
  const closeMessage = (): void => {
    if (texts.length === 0) return;
    const text = texts.map((part) => part.text).join('');
    const citations = texts.flatMap((part) => part.citations ?? []);
    const annotations = citations.map((citation) => responsesAnnotation(citation, from));
    const content = [textPart(text, annotations)];
    from += text.length;
    items.push(messageItem(newItemId('msg'), content, { status: 'completed', phase }));
    texts = [];
  };
  for (const part of parts) {
    if (part.type === 'text' && part.proof === undefined) {
      if (part.text !== '') texts.push(part);
      continue;
    }
    closeMessage();
    if (part.type !== 'reasoning' && part.proof !== undefined && context.wantsProof) {
      const encrypted = carryPlacedProof(part.proof, 'next');
      items.push(reasoningItem(newItemId('rs'), '', encrypted));
    }
    if (part.type === 'text') texts.push(part);
    else items.push(...writePart(part, context));
  }
  closeMessage();
  if (refusal !== '') {
    const content = [refusalPart(refusal)];
    items.push(messageItem(newItemId('msg'), content, { status: 'completed' }));
  }
  return items;
}

function writePart(
  part: Exclude<AssistantPart, { type: 'text' }>,
  { names, wantsProof }: ClientContext,
): OwnJsonObject[] {
  if (part.type === 'reasoning') {
    const { text, proof } = part;
    const encrypted =
      proof === undefined || !wantsProof ? undefined : carryPlacedProof(proof, 'reasoning');
    if (text === '' && encrypted === undefined) return [];
    return [reasoningItem(newItemId('rs'), text, encrypted)];
  }
  if (part.type === 'image') return [writeImage(part.source)];
  const head = callHead(part.id, names.clientTool(part.name));
  const input = inputFor(head.tool, part.input, part.freeForm);
  return [callItem(head, input, 'completed')];
}

/** An image that has an address has no bytes: the address is a message. */
function writeImage(source: MediaSource): OwnJsonObject {
  return 'url' in source
    ? messageItem(newItemId('msg'), [textPart(source.url)], { status: 'completed' })
    : imageItem(newItemId('ig'), 'completed', source);
}
