import { baseAddressMistake } from '@weir/shared/catalog/base-address';
import {
  isOpenaiLike,
  type ChannelKind,
  type ChannelModel,
  type ChannelSetting,
  type ChannelUpdate,
} from '@weir/shared/catalog/channels';
import { CHANNEL_COLUMNS } from '../../catalog/channel-columns.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { seal, type Secrets } from '../../platform/secrets/secrets.ts';
import type { EnteredCredential } from '../../providers/minting.ts';
import { providerOf } from '../../providers/registry.ts';
import { refusePrivateAddress } from '../../data-plane/upstream/address-guard.ts';
import { isProfileId, listProfiles } from '../../providers/profiles/profile-of.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import type { AdminContext } from '../api/context.ts';
import { isDuplicate, isReferenceBroken, type Database } from '../api/transaction.ts';
import type { ChannelRow } from './channel-row.ts';

const CHOSEN_PROFILES = `
  select model_id as "modelId", profile from channel_models
  where channel_id = $1 and profile is not null`;
const DELETE_MODELS = 'delete from channel_models where channel_id = $1';
const INSERT_MODELS = `
  insert into channel_models (channel_id, model_id, upstream_name, profile)
  select $1, m."modelId", m."upstreamName", m.profile
  from jsonb_to_recordset($2::jsonb) as m("modelId" uuid, "upstreamName" text, profile text)`;
const FORGET_REFUSALS = 'delete from learned_refusals where channel_id = $1';
const DELETE_GROUPS = 'delete from channel_groups where channel_id = $1';
const INSERT_GROUPS = `
  insert into channel_groups (channel_id, group_id) select $1, unnest($2::uuid[]) on conflict do nothing`;
const INSERT_CREDENTIAL = `
  insert into channel_credentials (id, channel_id, sealed, hint) values ($1, $2, $3, $4)`;

const HINT_CHARACTERS = 4;
/** The last characters of a short secret would reveal half of it. */
const HINT_SECRET_CHARACTERS_MIN = 16;

const UNKNOWN_REFERENCE = refuse('invalid_value', 'One of the models or groups does not exist.');

/** Two who save at the same time, of whom only one can be first. */
const MODEL_ADDED = refuse('already_exists', 'One of the new models was added meanwhile.', {
  param: 'newModels',
});

export async function changeChannel(
  db: Database,
  channelId: string,
  change: ChannelUpdate,
): Promise<void> {
  const settings = Object.entries(CHANNEL_COLUMNS) as [ChannelSetting, string][];
  const changes = settings.map(([name, column]) => [column, change[name]] as const);
  const { sql, values } = setClause(given(changes), 2);
  await db.query(`update channels set ${sql} where id = $1`, [channelId, ...values]);
  if (change.models !== undefined) {
    await replaceModels(db, channelId, change.models);
  }
  if (change.groupIds !== undefined) {
    await db.query(DELETE_GROUPS, [channelId]);
    await db.query(INSERT_GROUPS, [channelId, change.groupIds]);
  }
}

async function replaceModels(
  db: Database,
  channelId: string,
  models: readonly ChannelModel[],
): Promise<void> {
  const { rows } = await db.query<ChannelModel>(CHOSEN_PROFILES, [channelId]);
  const chosen = new Map(rows.map(({ modelId, profile }) => [modelId, profile]));
  const complete = models.map((model) => ({ profile: chosen.get(model.modelId), ...model }));
  await db.query(DELETE_MODELS, [channelId]);
  await db.query(INSERT_MODELS, [channelId, JSON.stringify(complete)]);
}

/** Forgets the learned refusals of a channel: another upstream may accept those fields. */
export async function forgetRefusals(db: Database, channelId: string): Promise<void> {
  await db.query(FORGET_REFUSALS, [channelId]);
}

/** Refuses a profile that there is not. */
export function refuseUnknownProfile(models: readonly ChannelModel[] = []): Refusal | undefined {
  const unknown = models.find(({ profile }) => profile != null && !isProfileId(profile))?.profile;
  if (unknown == null) return undefined;
  const { vendors, families } = listProfiles();
  const names = (parts: readonly { readonly id: string }[]): string =>
    parts.map(({ id }) => id).join(', ');
  return refuse(
    'invalid_value',
    `There is no target profile "${unknown}". Send null, "generic", a vendor (${names(vendors)}), or a vendor and a family, such as "openai/gpt-5.1" (${names(families)}).`,
    { param: 'models' },
  );
}

/** Checks a credential for a channel of some kind, and returns it as it is kept. */
export function readCredential(
  kind: ChannelKind,
  text: string,
  param: 'credentials' | 'secret',
): EnteredCredential | Refusal {
  const { minting } = providerOf(kind);
  const read = minting?.read(text) ?? { secret: text };
  if ('mistake' in read) return refuse('invalid_value', read.mistake, { param });
  // Only what is exchanged may have spaces: anything else goes into a header.
  if (minting !== undefined || !/\s/.test(text)) return read;
  const message = `A channel of kind "${kind}" takes a key, and this is a file. Set another kind, or enter a key.`;
  return refuse('invalid_value', message, { param });
}

/** Seals a credential and keeps it; answers its id. */
export async function insertCredential(
  db: Database,
  secrets: Secrets,
  options: EnteredCredential & { readonly channelId: string },
): Promise<string> {
  const { channelId, secret } = options;
  const id = newRequestId(Date.now());
  const end = secret.length < HINT_SECRET_CHARACTERS_MIN ? '' : shown(secret);
  const hint = options.hint ?? end;
  await db.query(INSERT_CREDENTIAL, [id, channelId, seal(secrets, secret), hint]);
  return id;
}

/**
 * Returns the part of a credential that is shown: of an AWS access key its id, which is no secret.
 */
function shown(secret: string): string {
  const [, accessKeyId = secret] = /^(A[A-Z0-9]{15,}):/.exec(secret) ?? [];
  return accessKeyId.slice(-HINT_CHARACTERS);
}

/** Returns what is wrong with a base address: not one, not one of its kind, a private network. */
export async function refuseBaseUrl(
  context: AdminContext,
  {
    kind,
    baseUrl,
    allowPrivate,
  }: {
    readonly kind: ChannelKind;
    readonly baseUrl: string;
    readonly allowPrivate: boolean;
  },
): Promise<Refusal | undefined> {
  const param = 'baseUrl';
  if (!URL.canParse(baseUrl)) {
    return refuse('invalid_value', `"${baseUrl}" is not an address.`, { param });
  }
  const mistake = baseAddressMistake(kind, baseUrl);
  if (mistake !== undefined) {
    return refuse('invalid_value', `The base address ${mistake}`, { param });
  }
  const allowed = allowPrivate || context.config.allowPrivateUpstreams;
  const refused = await refusePrivateAddress(baseUrl, allowed);
  return refused === undefined ? undefined : refuse('address_refused', refused.message, { param });
}

/** Refuses what a channel of its kind cannot be set to. */
export function refuseUnfitKind(
  channel: Pick<ChannelRow, 'kind' | 'protocols' | 'storesResponses'>,
  change: Pick<ChannelUpdate, 'kind' | 'protocols' | 'storesResponses'>,
): Refusal | undefined {
  const { kind = channel.kind, protocols = channel.protocols } = change;
  const { storesResponses = channel.storesResponses } = change;
  if (channel.kind === 'demo' && kind !== 'demo') {
    return refuse('invalid_value', 'The demo has no other kind. Add a channel for an upstream.', {
      param: 'kind',
    });
  }
  if (isOpenaiLike(kind)) return undefined;
  if (storesResponses) {
    return refuse(
      'invalid_value',
      `An upstream of kind "${kind}" stores no responses. Leave "storesResponses" out, or send false.`,
      { param: 'storesResponses' },
    );
  }
  if (protocols === null) return undefined;
  return refuse(
    'invalid_value',
    `The protocols of an upstream of kind "${kind}" cannot be chosen. Leave "protocols" out, or send null.`,
    { param: 'protocols' },
  );
}

/**
 * Refuses to move credentials to another origin: a user who may edit a channel could otherwise read
 * what they were never shown, by a server of their own. Over plain http instead of https they would
 * be reported as well.
 */
export function refuseMovedCredentials(
  channel: Pick<ChannelRow, 'baseUrl' | 'credentials'>,
  baseUrl: string | undefined,
): Refusal | undefined {
  if (baseUrl === undefined || channel.credentials.length === 0) return undefined;
  // Nothing was ever sent to what is no address.
  if (!URL.canParse(channel.baseUrl)) return undefined;
  const [from, to] = [new URL(channel.baseUrl).origin, new URL(baseUrl).origin];
  if (from === to) return undefined;
  return refuse(
    'credentials_bound',
    `The credentials of this channel are for ${from} and do not go to ${to} by themselves. Delete them, save the new address, then enter them again; or add a second channel and delete this one, if it must not pause.`,
    { param: 'baseUrl' },
  );
}

/** Turns the ways in which a channel cannot be written into refusals. */
export async function refuseBadChannel<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (isReferenceBroken(error)) return UNKNOWN_REFERENCE;
    if (!isDuplicate(error)) throw error;
    if (error instanceof Error && error.message.includes('models_public_id')) return MODEL_ADDED;
    const isModel = error instanceof Error && error.message.includes('channel_models');
    return isModel
      ? refuse('invalid_value', 'A model is listed twice.', { param: 'models' })
      : refuse('already_exists', 'There is a channel with this name.', { param: 'name' });
  }
}
