import { responsesEvent } from '../../../../support/clients/responses-events.ts';
import type {
  ResponsesScript,
  ResponsesUpstream,
  SeenRequest,
} from '../../../../support/upstreams/responses-upstream.ts';
import { TEST_PRICES } from '../../../../support/seed.ts';

const USAGE = { input_tokens: 1_000, output_tokens: 50, total_tokens: 1_050 };
/** TEST_PRICES are for a million tokens. */
export const REPLY_COST =
  (USAGE.input_tokens * TEST_PRICES.inputNanoUsd +
    USAGE.output_tokens * TEST_PRICES.outputNanoUsd) /
  1_000_000;

interface Made {
  readonly credential: string;
  readonly value: object;
}

interface Reference {
  readonly type?: string;
  readonly id?: string;
  readonly encrypted_content?: string;
}

/** Makes an upstream store replies, conversations and items, each for the credential alone. */
export function stores(upstream: ResponsesUpstream, name: string): void {
  const replies = new Map<string, Made>();
  const conversations = new Map<string, Made>();
  const items = new Map<string, string>();
  const credentialNow = (): string => upstream.seen.at(-1)?.credential ?? '';
  const isOwn = (made: Made | undefined): boolean => made?.credential === credentialNow();

  upstream.script = (body) => {
    const { previous_response_id: asked, conversation: named, model, stream, input } = body;
    const previous = typeof asked === 'string' ? asked : null;
    const conversation = typeof named === 'string' ? named : null;
    if (previous !== null && !isOwn(replies.get(previous))) return notFound(previous);
    if (conversation !== null && !isOwn(conversations.get(conversation))) {
      return missing(`Conversation with id '${conversation}' not found.`);
    }
    const lacking = referencesIn(input).find((id) => items.get(id) !== credentialNow());
    if (lacking !== undefined) return missing(`Item with id '${lacking}' not found.`);
    const id = `resp_${name}_${replies.size + 1}`;
    const content = [{ type: 'output_text', text: 'Good "msg_day"', annotations: [] }];
    const thought = { id: `rs_${id}`, type: 'reasoning', summary: [] };
    const item = { id: `msg_${id}`, type: 'message', role: 'assistant', content };
    for (const made of [thought, item]) items.set(made.id, credentialNow());
    const response = {
      ...{ id, object: 'response', created_at: 1, model, status: 'completed', error: null },
      ...{ previous_response_id: previous, output: [thought, item], usage: USAGE },
      ...{ conversation: conversation && { id: conversation }, incomplete_details: null },
    };
    replies.set(id, { credential: credentialNow(), value: response });
    return stream === true ? { events: eventsOf(response, [thought, item]) } : { body: response };
  };

  upstream.others = (request) => {
    const { method, path, body } = request;
    const [, kind, id = '', behind = ''] = /^\/v1\/(\w+)\/?([^/?]*)([^?]*)/.exec(path) ?? [];
    const made = kind === 'conversations' ? conversations : replies;
    if (kind === 'conversations' && id === '') {
      const conversationId = `conv_${name}_${made.size + 1}`;
      const { metadata = {} } = body;
      const value = { id: conversationId, object: 'conversation', created_at: 1, metadata };
      made.set(conversationId, { credential: request.credential, value });
      return { status: 200, body: value };
    }
    const found = made.get(id);
    if (found?.credential !== request.credential) return missing(`No ${String(kind)} ${id}.`);
    if (behind === '' && method === 'DELETE') {
      made.delete(id);
      const object = kind === 'conversations' ? 'conversation.deleted' : 'response';
      return { status: 200, body: { id, object, deleted: true } };
    }
    if (behind.startsWith('/items/')) return itemReply(behind.slice('/items/'.length), request);
    if (behind !== '/input_items' && behind !== '/items') {
      return { status: 200, body: found.value };
    }
    const itemId = `msg_in_${id}`;
    items.set(itemId, request.credential);
    const data = [{ id: itemId, type: 'message', role: 'user', content: [] }];
    const list = { object: 'list', data, first_id: itemId, last_id: itemId, has_more: false };
    return { status: 200, body: list };
  };

  const itemReply = (id: string, { method, path }: SeenRequest) => {
    if (!items.has(id)) return missing(`No item ${id}.`);
    if (method === 'GET') {
      return { status: 200, body: { id, type: 'message', role: 'user', content: [] } };
    }
    const conversationId = path.split('/')[3] ?? '';
    return { status: 200, body: conversations.get(conversationId)?.value };
  };
}

/** Items that the vendor looks up: references, and reasoning of which the client has no content. */
function referencesIn(input: unknown): string[] {
  const items = Array.isArray(input) ? (input as readonly Reference[]) : [];
  return items.flatMap(({ type, id, encrypted_content: encrypted }) => {
    const isLookedUp =
      type === 'item_reference' || (type === 'reasoning' && encrypted === undefined);
    return isLookedUp && id !== undefined ? [id] : [];
  });
}

function eventsOf(response: object, items: readonly { readonly id: string }[]): string[] {
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const events: [string, object][] = [
    ['response.created', { response: begun }],
    ...items.flatMap((item, index): [string, object][] => {
      const place = { item_id: item.id, output_index: index };
      const delta = { ...place, content_index: 0, delta: 'Good', logprobs: [] };
      return [
        ['response.output_item.added', { output_index: index, item: { ...item, content: [] } }],
        ...(item.id.startsWith('msg')
          ? ([
              [
                'response.content_part.added',
                { ...place, content_index: 0, part: { type: 'output_text', text: '' } },
              ],
              ['response.output_text.delta', delta],
              ['response.output_text.delta', { ...delta, delta: ' "msg_day"' }],
              ['response.output_text.done', { ...place, content_index: 0, text: 'Good "msg_day"' }],
            ] as [string, object][])
          : []),
        ['response.output_item.done', { output_index: index, item }],
      ];
    }),
    ['response.completed', { response }],
  ];
  return events.map(([type, fields], at) => responsesEvent(type, at, fields));
}

function missing(message: string): { readonly status: number; readonly body: unknown } {
  return { status: 404, body: { error: { message, code: null, param: null } } };
}

function notFound(id: string): ResponsesScript {
  const message = `Previous response with id '${id}' not found.`;
  const code = 'previous_response_not_found';
  return { status: 400, body: { error: { message, code, param: 'previous_response_id' } } };
}
