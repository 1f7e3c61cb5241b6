import { redactSecrets } from '@weir/shared/redact-secrets';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { readObject } from '../../../platform/json/read-object.ts';
import { invalidValue, wrongType } from '../../fields/field-faults.ts';
import type { RequestLimits } from '../../protocol.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import { checkInput } from '../wire/check-input.ts';
import { unsignedItems } from '../wire/signed-items.ts';

const FIELDS: ReadonlySet<string> = new Set(['items', 'metadata']);
const NO_IDS: ReadonlySet<string> = new Set();

/**
 * Returns the body that makes or changes a conversation, or adds items to it, as the upstream that
 * stores it gets it. Items may hold nothing that another customer could have stored there.
 */
export function encodeConversation(body: Buffer, limits: RequestLimits): Buffer | Refusal {
  // Both fields may be absent, and clients then send no body at all.
  if (body.length === 0) return Buffer.from('{}');
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  const unknown = read.keys.find((key) => !FIELDS.has(key));
  if (unknown !== undefined) {
    const message = `Conversations have no field "${redactSecrets(unknown).slice(0, 64)}". Send "items" and "metadata".`;
    return invalidValue(redactSecrets(unknown).slice(0, 64), message);
  }
  const { items = null, metadata = null } = read.value;
  if (metadata !== null && !isJsonObject(metadata)) {
    return wrongType('metadata', 'an object', metadata);
  }
  if (items !== null && !Array.isArray(items)) return wrongType('items', 'an array', items);
  const facts = checkInput(items ?? [], 'items');
  if (isRefusal(facts)) return facts;
  const [reference] = facts.references;
  if (reference !== undefined) {
    return invalidValue(
      reference.param,
      'Send the items themselves instead of references to them.',
    );
  }
  return Buffer.from(
    JSON.stringify({
      ...(metadata === null ? {} : { metadata }),
      ...(items === null ? {} : { items: unsignedItems(items, NO_IDS) }),
    }),
  );
}
