import { refuse } from '../../platform/errors/refusal.ts';
import { applyEdits } from '../../platform/json/apply-edits.ts';
import { parseOwnObject } from '../../platform/json/json-value.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { StoredReplies } from '../protocol.ts';
import { responseEdits } from './reply/response-edits.ts';

export const PREVIOUS_FIELD = 'previous_response_id';
const ID_CHARACTERS_SHOWN = 64;
const SEND_ITEMS = 'Send "store": false and the whole conversation as items in "input" instead.';

/** Responses that the upstream of a channel stores. */
export const stored: StoredReplies = {
  refusePrevious: (clientId, why) => {
    const named = `Previous response "${shown(clientId)}"`;
    return invalidValue(
      PREVIOUS_FIELD,
      why === 'gone'
        ? `${named} is out of reach: the upstream account that stores it is not used here any more. ${SEND_ITEMS}`
        : `${named} not found: ${SEND_ITEMS}`,
    );
  },
  refuseUnknown: (clientId) =>
    refuse(
      'not_found',
      `Response "${shown(clientId)}" not found. Only responses of upstreams that store them can be read back, cancelled or deleted. ${SEND_ITEMS}`,
    ),
  rename: (body, { clientId, publicModel, ids }) => {
    const reply = parseOwnObject(body);
    if (reply === undefined) return undefined;
    const { id, model, previous_response_id: previous } = reply;
    const names = {
      publicModel,
      ...(typeof id === 'string' && { id: clientId }),
      ...(typeof previous === 'string' && { previousId: ids.clientId(previous) }),
    };
    // Lists of items, and what tells of a deletion, name no model.
    const edits = responseEdits(reply, names).filter(
      ({ name }) => name !== 'model' || typeof model === 'string',
    );
    return applyEdits(body, reply, edits, false);
  },
};

function shown(clientId: string): string {
  return clientId.slice(0, ID_CHARACTERS_SHOWN);
}
