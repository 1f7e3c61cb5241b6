import { SIGNED_CHAT_KINDS, type AlertTargetKind } from '@weir/shared/watch/alerts';
import { EmailAddress } from '@weir/shared/api/wire-values';
import { Value } from 'typebox/value';
import { refusePrivateAddress } from '../../../data-plane/upstream/address-guard.ts';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { AdminContext } from '../../api/context.ts';

const TELEGRAM_API = 'https://api.telegram.org';
/** The id of a bot and its secret, as Telegram writes them. */
const TELEGRAM_TOKEN = /^\d{3,20}:[\w-]{20,100}$/;
const TELEGRAM_ADDRESS = /^https?:\/\/.+\/bot\d{3,20}:[\w-]{20,100}$/;

const param = 'address';

/**
 * Returns the part of an address that is kept in clear. Anyone who knows the rest of a webhook's
 * address can post to it.
 */
export function shownAddress(kind: AlertTargetKind, address: string): string {
  return kind === 'mail' ? address : `${new URL(address).origin}/…`;
}

/** Makes the address of a Telegram bot of its token; other addresses stay as they are. */
function completeAddress(kind: AlertTargetKind, address: string): string {
  if (kind !== 'telegram') return address;
  if (TELEGRAM_TOKEN.test(address)) return `${TELEGRAM_API}/bot${address}`;
  return address.replace(/\/(sendMessage)?$/, '');
}

function refuseUrl(address: string): Refusal | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse('invalid_value', 'Write an address that begins with "https://".', { param });
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('invalid_value', 'An address with a password in it is not taken.', { param });
  }
  return undefined;
}

/** Returns a complete address, or the refusal of one that leads nowhere or is not allowed. */
export async function checkAddress(
  { config }: AdminContext,
  target: {
    readonly kind: AlertTargetKind;
    readonly address: string;
    readonly allowPrivate: boolean;
  },
): Promise<string | Refusal> {
  const { kind, allowPrivate } = target;
  const address = completeAddress(kind, target.address);
  if (kind === 'mail') {
    const isAddress: boolean = Value.Check(EmailAddress, address);
    if (isAddress) return address;
    return refuse('invalid_value', `"${address}" is not an e-mail address.`, { param });
  }
  if (kind === 'telegram' && !TELEGRAM_ADDRESS.test(address)) {
    return refuse(
      'invalid_value',
      'Enter the token of the bot as BotFather shows it, such as 123456789:AAH…',
      { param },
    );
  }
  const refused = refuseUrl(address);
  if (refused !== undefined) return refused;
  const isAllowed = allowPrivate || config.allowPrivateUpstreams;
  if ((await refusePrivateAddress(address, isAllowed)) === undefined) return address;
  const { hostname } = new URL(address);
  return refuse(
    'address_refused',
    `${hostname} is a loopback, link-local or private address. Use a public address, or allow private addresses for this webhook.`,
    { param },
  );
}

interface ChatFields {
  readonly signingSecret?: string | undefined;
  readonly chatId?: string | null | undefined;
}

/** Refuses fields of other kinds of targets, and a Telegram bot without a chat. */
export function refuseChatFields(
  kind: AlertTargetKind,
  { signingSecret, chatId }: ChatFields,
): Refusal | undefined {
  if (signingSecret !== undefined && !SIGNED_CHAT_KINDS.includes(kind)) {
    return refuse('invalid_value', `A target "${kind}" takes no signing secret. Leave it out.`, {
      param: 'signingSecret',
    });
  }
  if (kind !== 'telegram' && typeof chatId === 'string') {
    return refuse('invalid_value', `A target "${kind}" has no chat id. Leave it out.`, {
      param: 'chatId',
    });
  }
  return undefined;
}
