import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, Id, Instant, Name, nullable, TEXT_KIND } from '../api/wire-values.ts';

/** The code that a tool shows, as it was typed: `BCDF-GHJK`. */
const UserCode = Type.String({ minLength: 1, maxLength: 32, [TEXT_KIND]: 'opaque' });

export const DeviceLoginLookup = closed({ userCode: UserCode });

/** A login that waits for an answer, as the person sees it who decides. */
export const DeviceLoginPreview = closed({
  /** The code in its usual form. */
  userCode: Type.String(),
  /** As the tool names itself, such as `claude_code`. */
  tool: Type.String(),
  /** The device's name; '' when the tool sent none. */
  device: Type.String(),
  /** The address from which the tool asks. */
  address: Type.String(),
  requestedAt: Instant,
  expiresAt: Instant,
});
export type DeviceLoginPreview = Static<typeof DeviceLoginPreview>;

/** The tool gets a key of the caller's in the account of the session, for this group. */
export const DeviceLoginAllow = closed({ userCode: UserCode, groupId: Id, name: Name });
export type DeviceLoginAllow = Static<typeof DeviceLoginAllow>;

/** The login of a tool, of the key that it holds. */
export const KeyLogin = closed({
  tool: Type.String(),
  device: Type.String(),
  address: Type.String(),
  loggedInAt: Instant,
});
export type KeyLogin = Static<typeof KeyLogin>;

/** Bytes of the settings as JSON. */
export const MANAGED_SETTINGS_BYTES_MAX = 64 * 1024;

const Settings = Type.Record(Type.String(), Type.Unknown());

/** The settings that Claude Code of the account's members takes; null for none. */
export const ManagedSettingsView = closed({
  settings: nullable(Settings),
  /** `sha256:` and the hexadecimal digest of the settings. */
  checksum: nullable(Type.String()),
  updatedAt: nullable(Instant),
});
export type ManagedSettingsView = Static<typeof ManagedSettingsView>;

/** `checksum` is that of the settings that were edited; a change of another person is refused. */
export const ManagedSettingsUpdate = closed({
  settings: nullable(Settings),
  checksum: nullable(Type.String({ maxLength: 80 })),
});
export type ManagedSettingsUpdate = Static<typeof ManagedSettingsUpdate>;
