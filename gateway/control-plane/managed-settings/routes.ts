import { createHash } from 'node:crypto';
import type { DEVICE_LOGIN_ROUTES } from '@weir/shared/api/admin-routes/device-logins';
import {
  MANAGED_SETTINGS_BYTES_MAX,
  type ManagedSettingsUpdate,
  type ManagedSettingsView,
} from '@weir/shared/people/device-logins';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction, lockRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';

/** JSON with the keys of every object sorted and without white space. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  );
}

/** The name under which Claude Code knows settings: the digest of their canonical JSON. */
function checksumOf(json: string): string {
  return `sha256:${createHash('sha256').update(json).digest('hex')}`;
}

type Table = Pick<typeof DEVICE_LOGIN_ROUTES, 'getManagedSettings' | 'updateManagedSettings'>;

export const managedSettingsHandlers: HandlersOf<Table> = {
  getManagedSettings: ({ context, caller }) => readSettings(context.pool, caller.accountId),
  updateManagedSettings,
};

const FIND = `
  select settings, checksum, updated_at as "updatedAt" from managed_settings where account_id = $1`;
const WRITE = `
  insert into managed_settings (account_id, id, settings, checksum) values ($1, $2, $3, $4)
  on conflict (account_id) do update
    set settings = excluded.settings, checksum = excluded.checksum, updated_at = now()`;
const REMOVE = 'delete from managed_settings where account_id = $1';

interface Row {
  readonly settings: string;
  readonly checksum: string;
  readonly updatedAt: Date;
}

async function readSettings(db: Database, accountId: string): Promise<ManagedSettingsView> {
  const [row] = (await db.query<Row>(FIND, [accountId])).rows;
  if (row === undefined) return { settings: null, checksum: null, updatedAt: null };
  const settings = JSON.parse(row.settings) as ManagedSettingsView['settings'];
  return { settings, checksum: row.checksum, updatedAt: row.updatedAt.toISOString() };
}

async function write(
  db: Database,
  accountId: string,
  { settings }: ManagedSettingsUpdate,
): Promise<Refusal | undefined> {
  if (settings === null) {
    await db.query(REMOVE, [accountId]);
    return undefined;
  }
  const json = canonicalJson(settings);
  if (Buffer.byteLength(json) > MANAGED_SETTINGS_BYTES_MAX) {
    return refuse(
      'invalid_value',
      `The settings have more than ${String(MANAGED_SETTINGS_BYTES_MAX)} bytes.`,
      { param: 'settings' },
    );
  }
  await db.query(WRITE, [accountId, newRequestId(Date.now()), json, checksumOf(json)]);
  return undefined;
}

function updateManagedSettings(
  call: Call<'updateManagedSettings'>,
): Answer<'updateManagedSettings'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  return inTransaction(context.pool, async (client) => {
    await lockRow(client, 'accounts', accountId);
    const before = await readSettings(client, accountId);
    if (before.checksum !== body.checksum) {
      return refuse(
        'precondition_failed',
        'Someone changed the settings since you last saw them. Load them again and repeat your change.',
      );
    }
    const refused = await write(client, accountId, body);
    if (refused !== undefined) return refused;
    const view = await readSettings(client, accountId);
    const change = { kind: 'managed_settings', id: accountId, before, after: view };
    return { view, audit: await audit(client, call, change) };
  });
}
