import { maskId } from '../../fields/mask-id.ts';
import type { ReplyIds } from '../../stored-replies.ts';
import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';

/** The ids of a response for the client. */
export interface ResponseNames {
  readonly publicModel: string;
  /** Absent: the upstream's own. */
  readonly id?: string;
  /** The id of the response before it, if it has one; absent: unchanged. */
  readonly previousId?: string | undefined;
  /** The id of its conversation. */
  readonly conversationId?: ReplyIds['conversationId'] | undefined;
}

/** @param ids where the response is stored; its id is the upstream's otherwise */
export function namesOf(
  upstreamId: string,
  publicModel: string,
  ids: ReplyIds | undefined,
): ResponseNames {
  return ids === undefined
    ? { publicModel, ...(upstreamId === '' ? {} : { id: maskId(upstreamId, 'resp_') }) }
    : {
        publicModel,
        id: ids.clientId(upstreamId),
        previousId: ids.previousId,
        conversationId: ids.conversationId,
      };
}

/** The edits that give a response the names that its client knows. */
export function responseEdits(
  response: OwnJsonObject,
  { publicModel, id, previousId, conversationId }: ResponseNames,
): MemberEdit[] {
  const edits: MemberEdit[] = [];
  if (response['model'] !== publicModel) edits.push(textEdit('model', publicModel));
  if (id !== undefined && response['id'] !== id) edits.push(textEdit('id', id));
  const { previous_response_id: previous, conversation } = response;
  if (previousId !== undefined && typeof previous === 'string') {
    edits.push(textEdit('previous_response_id', previousId));
  }
  if (conversationId !== undefined && isOwnJsonObject(conversation)) {
    const { id: upstreamId } = conversation;
    const named =
      typeof upstreamId === 'string'
        ? { ...conversation, id: conversationId(upstreamId) }
        : conversation;
    edits.push({ name: 'conversation', value: JSON.stringify(named) });
  }
  return edits;
}

function textEdit(name: string, value: string): MemberEdit {
  return { name, value: JSON.stringify(value) };
}
