import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import { invalidValue } from '../../fields/field-faults.ts';

const ID_CHARACTERS_SHOWN = 64;

/** Refuses an item that is named by an id which leads to nothing. */
export function refuseItem(param: string, clientId: string): Refusal {
  return invalidValue(
    param,
    `The item "${shown(clientId)}" is not stored here. Send "store": false and the items themselves instead of references to them; with "include": ["reasoning.encrypted_content"] reasoning comes back whole, too.`,
  );
}

/** Returns an id as messages quote it. */
export function shown(clientId: string): string {
  return redactSecrets(clientId).slice(0, ID_CHARACTERS_SHOWN);
}
