import { refuse } from '../../platform/errors/refusal.ts';
import { applyEdits } from '../../platform/json/apply-edits.ts';
import { parseOwnObject, type OwnJsonObject } from '../../platform/json/json-value.ts';
import type { MemberEdit } from '../../platform/json/rewrite-members.ts';
import { bareId } from '../../platform/secrets/signed-id.ts';
import { invalidValue } from '../fields/field-faults.ts';
import { strip } from '../fields/shape.ts';
import type { ReplyIds, StoredNames, StoredReplies } from '../stored-replies.ts';
import { ItemNames } from './from-upstream/item-names.ts';
import { RESPONSE_REPLY_FIELDS, STORED_FIELDS } from './from-upstream/known-fields.ts';
import { responseEdits } from './from-upstream/response-edits.ts';
import { encodeConversation } from './to-upstream/encode-conversation.ts';
import { refuseItem, shown } from './wire/refuse-item.ts';

export const PREVIOUS_FIELD = 'previous_response_id';
export const CONVERSATION_FIELD = 'conversation';
const SEND_ITEMS = 'Send "store": false and the whole conversation as items in "input" instead.';
const NAMES = { reply: 'Previous response', conversation: 'Conversation' } as const;

/** Fields of a query that an upstream gets. */
const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'include',
  'include[]',
  'limit',
  'order',
  'after',
  'before',
]);

/** Responses, and conversations of them, that the upstream of a channel stores. */
export const stored: StoredReplies = {
  idPrefixes: { reply: 'resp_', conversation: 'conv_' },
  refuseReference: ({ kind, clientId, param }, why) => {
    if (kind === 'item') return refuseItem(param, clientId);
    const named = `${NAMES[kind]} "${shown(clientId)}"`;
    return invalidValue(
      param,
      why === 'gone'
        ? `${named} is out of reach: the upstream account that stores it is not used here any more. ${SEND_ITEMS}`
        : `${named} not found: ${SEND_ITEMS}`,
    );
  },
  refuseUnknown: (kind, clientId) =>
    refuse(
      'not_found',
      kind === 'reply'
        ? `Response "${shown(clientId)}" not found. Only responses of upstreams that store them can be read back, cancelled or deleted. ${SEND_ITEMS}`
        : `Conversation "${shown(clientId)}", or the item in it, not found. ${SEND_ITEMS}`,
    ),
  refuseConversations: () =>
    refuse(
      'unknown_url',
      `No upstream of the models of this key stores conversations. ${SEND_ITEMS}`,
    ),
  encodeQuery: (query) => {
    const asked = new URLSearchParams(query);
    if (asked.get('stream') === 'true') {
      const message = 'Stored responses come whole: leave "stream" out.';
      return refuse('unsupported_parameter', message, { param: 'stream' });
    }
    const sent = new URLSearchParams(
      [...asked]
        .filter(([name]) => QUERY_FIELDS.has(name))
        .map(([name, value]): [string, string] => [name, bareId(value)]),
    );
    return sent.size === 0 ? '' : `?${sent.toString()}`;
  },
  encodeBody: encodeConversation,
  rename: (kind, body, names) => {
    const named = nameItems(body, names.ids);
    const reply = parseOwnObject(named);
    if (reply === undefined) return undefined;
    const closed = names.fieldPolicy !== 'all' && close(reply);
    const edits = kind === 'reply' ? replyEdits(reply, names) : conversationEdits(reply, names);
    return applyEdits(named, reply, edits, closed);
  },
};

function replyEdits(
  reply: OwnJsonObject,
  { clientId, publicModel, ids }: StoredNames,
): readonly MemberEdit[] {
  const { id, model, previous_response_id: previous } = reply;
  const names = {
    publicModel,
    conversationId: ids.conversationId,
    ...(typeof id === 'string' && { id: clientId }),
    ...(typeof previous === 'string' && { previousId: ids.clientId(previous) }),
  };
  // Lists of items and confirmations of a deletion name no model.
  return responseEdits(reply, names).filter(
    ({ name }) => name !== 'model' || typeof model === 'string',
  );
}

function conversationEdits({ id, object }: OwnJsonObject, { ids }: StoredNames): MemberEdit[] {
  return typeof id === 'string' && isConversation(object)
    ? [{ name: 'id', value: JSON.stringify(ids.conversationId(id)) }]
    : [];
}

/** Takes out what is not known. Returns whether there was any. */
function close(reply: OwnJsonObject): boolean {
  return strip(reply, reply['object'] === 'response' ? RESPONSE_REPLY_FIELDS : STORED_FIELDS);
}

function nameItems(body: Buffer, ids: ReplyIds): Buffer {
  const reply = parseOwnObject(body);
  if (reply === undefined) return body;
  const names = new ItemNames(ids);
  const { object, data } = reply;
  if (object === 'list') names.noteAll(data);
  else if (object === 'response') names.noteEvent(reply);
  else if (typeof reply['type'] === 'string') names.note(reply);
  return names.rename(body);
}

function isConversation(object: unknown): boolean {
  return typeof object === 'string' && object.startsWith('conversation');
}
