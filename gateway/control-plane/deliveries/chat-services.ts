import { createHmac } from 'node:crypto';
import type { ChatKind } from '@weir/shared/watch/alerts';
import type { PostReply } from './post-json.ts';

/** Where a chat is, and what its bot checks. */
export interface ChatAddress {
  readonly url: string;
  /** Null where the bot checks no signature. */
  readonly signingSecret: string | null;
  /** For Telegram. */
  readonly chatId: string | null;
}

/** The webhook of a chat service: its form, its limits and what its replies mean. */
interface ChatService {
  /** Characters of a text, less a margin. Longer ones are refused, or cut in the middle. */
  readonly charactersMax: number;
  /**
   * A name or value as the service shows it unchanged. Customers choose their names: these must
   * neither notify a whole chat nor hide a link behind other words.
   */
  plain(text: string): string;
  post(address: ChatAddress, text: string, nowMs: number): { url: URL; body: object };
  /** The service's words for why the message was not taken; undefined if it was. */
  refusal(reply: PostReply): string | undefined;
}

const asIs = (text: string): string => text;

/** The body of a reply as an object; empty if it is none. */
function jsonOf({ text }: PostReply): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function wordsOf(...words: unknown[]): string {
  return words
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .join(' ')
    .trim();
}

/** https://api.slack.com/messaging/webhooks; Mattermost takes the same form. */
const SLACK: ChatService = {
  charactersMax: 3_900,
  // Control sequences such as <!channel> begin with an angle bracket.
  plain: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  post: ({ url }, text) => ({
    url: new URL(url),
    body: { text, mrkdwn: false, unfurl_links: false, unfurl_media: false },
  }),
  refusal: ({ status, text }) => (status === 200 && text.trim() === 'ok' ? undefined : text),
};

/** Discord's flag for a message without previews of its links. */
const SUPPRESS_EMBEDS = 4;

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const DISCORD: ChatService = {
  charactersMax: 1_900,
  plain: (text) => text.replace(/[\\*_~`|>#[\]()<]/g, '\\$&'),
  post: ({ url }, content) => ({
    url: new URL(url),
    body: { content, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } },
  }),
  refusal: (reply) => {
    const { id, code, message, content } = jsonOf(reply);
    if (reply.status === 204 || (reply.status === 200 && typeof id === 'string')) return undefined;
    const fault = Array.isArray(content) ? (content[0] as unknown) : undefined;
    return wordsOf(code, message, fault);
  },
};

/** https://core.telegram.org/bots/api#sendmessage */
const TELEGRAM: ChatService = {
  charactersMax: 4_000,
  // Without a parse mode, a text is no markup.
  plain: asIs,
  post: ({ url, chatId }, text) => ({
    url: new URL(`${url}/sendMessage`),
    body: { chat_id: chatId, text, link_preview_options: { is_disabled: true } },
  }),
  refusal: (reply) => {
    const { ok, description } = jsonOf(reply);
    return ok === true ? undefined : wordsOf(description);
  },
};

/**
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot; Lark has the same. A body may
 * have 20 KB, a character of UTF-8 up to four bytes. A refusal comes with status 200, too.
 */
const FEISHU: ChatService = {
  charactersMax: 4_000,
  // Mentions are tags: <at user_id="all">.
  plain: (text) => text.replaceAll('<', '＜'),
  post: ({ url, signingSecret }, text, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1_000));
    return {
      url: new URL(url),
      body: {
        ...(signingSecret === null
          ? {}
          : { timestamp, sign: hmacBase64(`${timestamp}\n${signingSecret}`, '') }),
        msg_type: 'text',
        content: { text },
      },
    };
  },
  refusal: (reply) => {
    const { code, msg, StatusCode: formerCode, StatusMessage: formerMessage } = jsonOf(reply);
    const result = code ?? formerCode;
    return result === 0 ? undefined : wordsOf(result, msg ?? formerMessage);
  },
};

/**
 * https://open.dingtalk.com/document/robots/custom-robot-access; a message may have 20,000 bytes. A
 * refusal comes with status 200, too.
 */
const DINGTALK: ChatService = {
  charactersMax: 4_000,
  plain: asIs,
  post: ({ url: address, signingSecret }, content, nowMs) => {
    const url = new URL(address);
    if (signingSecret !== null) {
      const timestamp = String(nowMs);
      // Set, not added: operators paste addresses that were signed before.
      url.searchParams.set('timestamp', timestamp);
      url.searchParams.set('sign', hmacBase64(signingSecret, `${timestamp}\n${signingSecret}`));
    }
    return { url, body: { msgtype: 'text', text: { content }, at: { isAtAll: false } } };
  },
  refusal: (reply) => {
    const { errcode, errmsg } = jsonOf(reply);
    return errcode === 0 ? undefined : wordsOf(errcode, errmsg);
  },
};

function hmacBase64(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

export const CHAT_SERVICES: Readonly<Record<ChatKind, ChatService>> = {
  slack: SLACK,
  discord: DISCORD,
  telegram: TELEGRAM,
  feishu: FEISHU,
  dingtalk: DINGTALK,
};
