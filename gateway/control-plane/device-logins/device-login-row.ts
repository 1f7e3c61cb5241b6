import { shownUserCode, userCodeLetters } from '@weir/shared/people/user-code';
import type { DeviceLoginPreview } from '@weir/shared/people/device-logins';
import { userCodeDigest } from '../../platform/secrets/user-code.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Database } from '../api/transaction.ts';

export interface DeviceLoginRow {
  readonly id: string;
  readonly status: 'pending' | 'allowed' | 'denied' | 'used';
  readonly isExpired: boolean;
  readonly tool: string;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const FIND = `
  select id, status, expires_at <= now() as "isExpired", tool, device, address, created_at as "createdAt",
    expires_at as "expiresAt"
  from device_logins where user_code_digest = $1`;

/** Finds a login by its code as typed; undefined for a code that no login has. */
export async function findDeviceLogin(
  db: Database,
  secrets: Secrets,
  code: { readonly typed: string; readonly lock?: boolean },
): Promise<DeviceLoginRow | undefined> {
  const digest = userCodeDigest(secrets, code.typed);
  if (digest === null) return undefined;
  const text = code.lock === true ? `${FIND} for update` : FIND;
  return (await db.query<DeviceLoginRow>(text, [digest])).rows[0];
}

export function deviceLoginPreview(row: DeviceLoginRow, typed: string): DeviceLoginPreview {
  return {
    userCode: shownUserCode(userCodeLetters(typed) ?? ''),
    tool: row.tool,
    device: row.device,
    address: row.address,
    requestedAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
