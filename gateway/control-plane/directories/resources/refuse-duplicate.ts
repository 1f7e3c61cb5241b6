import pg from 'pg';
import { isDuplicate } from '../../api/transaction.ts';
import { ScimError } from '../scim/scim-error.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  directory_users_name: 'There is a user with this "userName".',
  directory_users_external: 'There is a user with this "externalId".',
  directory_users_provider_id_user_id_key: 'Another user of this directory has the same login.',
  directory_groups_name: 'There is a group with this "displayName".',
  directory_groups_external: 'There is a group with this "externalId".',
};

const OF_A_LOGIN = 'Another login has this e-mail address.';

/** Runs a write; what is there already is refused as SCIM has it. */
export async function refuseDuplicate<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const constraint = error instanceof pg.DatabaseError ? error.constraint : undefined;
    throw new ScimError(409, MESSAGES[constraint ?? ''] ?? OF_A_LOGIN, { scimType: 'uniqueness' });
  }
}
