import {
  authorizeDevice,
  type DeviceCodes,
} from '../../../../gateway/data-plane/device-login/authorize-device.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import type { Catalog } from './catalog.ts';
import type { Walk } from './walk.ts';

/** Answers two tools that wait with codes, and sets what the account's tools take. */
export async function useDeviceLogins(walk: Walk, { groupId }: Catalog): Promise<void> {
  const { fixture } = walk;
  const as = await fixture.user();
  const context = { pool: fixture.pool, secrets: TEST_SECRETS, accessTokenSeconds: 60 };
  const begin = async (): Promise<string> => {
    const address = '203.0.113.7';
    const asked = { kind: 'authorize', tool: 'claude_code', device: '', address } as const;
    const { body } = await authorizeDevice(asked, context);
    const { device_code: deviceCode, user_code: userCode } = body as DeviceCodes;
    walk.secrets.set(`device code ${String(walk.secrets.size)}`, deviceCode);
    return userCode;
  };
  const userCode = await begin();
  await fixture.ask('lookUpDeviceLogin', { as, body: { userCode } });
  const body = { userCode, groupId, name: 'Claude Code' };
  await fixture.ask('allowDeviceLogin', { as, body });
  await fixture.ask('denyDeviceLogin', { as, body: { userCode: await begin() } });
  const settings = { model: 'sonnet' };
  await fixture.ask('updateManagedSettings', { as, body: { settings, checksum: null } });
  await fixture.ask('getManagedSettings', { as });
}
