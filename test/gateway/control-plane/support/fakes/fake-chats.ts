import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatKind } from '@weir/shared/watch/alerts';

/** Secrets of the bots that check signatures. */
export const FEISHU_SECRET = 'feishu-signing-secret';
export const DINGTALK_SECRET = `SEC${'0123456789abcdef'.repeat(4)}`;
export const TELEGRAM_TOKEN = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
export const TELEGRAM_CHAT = '-1001234567890';

const HOUR_MS = 3_600_000;

interface Reply {
  readonly status: number;
  readonly body: string | object;
}

type Body = Readonly<Record<string, unknown>>;

export interface FakeChats {
  /** Addresses as operators copy them from the service. */
  readonly addresses: Readonly<Record<ChatKind, string>>;
  /** Texts that people see, as the services store them. */
  readonly shown: { readonly kind: ChatKind; readonly text: string }[];
  /** Bodies that were taken. */
  readonly bodies: Body[];
  close(): Promise<void>;
}

/** https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks */
function slack(path: string, body: Body | undefined): Reply {
  if (path !== '/services/T000/B000/slack-secret') return { status: 404, body: 'no_service' };
  if (body === undefined) return { status: 400, body: 'invalid_payload' };
  if (typeof body['text'] !== 'string' || body['text'] === '') {
    return { status: 400, body: 'no_text' };
  }
  if (/<!|<@/.test(body['text'])) throw new Error(`everybody is notified: ${body['text']}`);
  return { status: 200, body: 'ok' };
}

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes */
function discord(path: string, body: Body | undefined): Reply {
  if (!path.startsWith('/api/webhooks/111/')) {
    return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } };
  }
  if (path !== '/api/webhooks/111/discord-secret') {
    return { status: 401, body: { message: 'Invalid Webhook Token', code: 50_027 } };
  }
  const content = body?.['content'];
  if (typeof content !== 'string' || content === '') {
    return { status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } };
  }
  if (content.length > 2_000) {
    return { status: 400, body: { content: ['Must be 2000 or fewer in length.'] } };
  }
  const mentions = body?.['allowed_mentions'] as { parse?: unknown[] } | undefined;
  if (mentions?.parse?.length !== 0) throw new Error('@everyone would be notified');
  return { status: 204, body: '' };
}

/** https://core.telegram.org/bots/api#making-requests */
function telegram(path: string, body: Body | undefined): Reply {
  const refused = (error_code: number, description: string): Reply => ({
    status: error_code,
    body: { ok: false, error_code, description },
  });
  if (!path.startsWith(`/bot${TELEGRAM_TOKEN}/`)) return refused(401, 'Unauthorized');
  if (!path.endsWith('/sendMessage')) return refused(404, 'Not Found');
  const { chat_id: chat, text, parse_mode: mode } = body ?? {};
  if (chat !== TELEGRAM_CHAT) return refused(400, 'Bad Request: chat not found');
  if (typeof text !== 'string' || text.trim() === '') {
    return refused(400, 'Bad Request: message text is empty');
  }
  if (text.length > 4_096) return refused(400, 'Bad Request: message is too long');
  if (mode !== undefined) return refused(400, "Bad Request: can't parse entities");
  return { status: 200, body: { ok: true, result: { message_id: 1 } } };
}

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: refusals have status 200. */
function feishu(path: string, body: Body | undefined, bytes: number): Reply {
  const refused = (code: number, msg: string): Reply => ({
    status: 200,
    body: { code, data: {}, msg },
  });
  if (path !== '/open-apis/bot/v2/hook/feishu-secret') {
    return refused(19_001, 'param invalid: incoming webhook access token invalid');
  }
  const { timestamp, sign, msg_type: type, content } = body ?? {};
  const key = `${String(timestamp)}\n${FEISHU_SECRET}`;
  const isNow = Math.abs(Date.now() - Number(timestamp) * 1_000) < HOUR_MS;
  if (!isNow || sign !== createHmac('sha256', key).update('').digest('base64')) {
    return refused(19_021, 'sign match fail or timestamp is not within one hour from current time');
  }
  const { text } = (content ?? {}) as { text?: unknown };
  if (type !== 'text' || typeof text !== 'string' || bytes > 20 * 1_024) {
    return refused(9_499, 'Bad Request');
  }
  if (text.includes('<at ')) throw new Error('everybody is notified');
  return {
    status: 200,
    body: { StatusCode: 0, StatusMessage: 'success', code: 0, msg: 'success' },
  };
}

/** https://open.dingtalk.com/document/robots/custom-robot-access: refusals have status 200. */
function dingtalk(url: URL, body: Body | undefined, bytes: number): Reply {
  const refused = (errcode: number, errmsg: string): Reply => ({
    status: 200,
    body: { errcode, errmsg },
  });
  const { searchParams } = url;
  if (url.pathname !== '/robot/send' || searchParams.get('access_token') !== 'dingtalk-secret') {
    return refused(300_001, 'token is not exist');
  }
  const timestamp = searchParams.get('timestamp') ?? '';
  if (!/^\d{13}$/.test(timestamp) || Math.abs(Date.now() - Number(timestamp)) > HOUR_MS) {
    return refused(310_000, 'invalid timestamp');
  }
  const expected = createHmac('sha256', DINGTALK_SECRET)
    .update(`${timestamp}\n${DINGTALK_SECRET}`)
    .digest('base64');
  if (searchParams.getAll('sign').join() !== expected) return refused(310_000, 'sign not match');
  const { content } = (body?.['text'] ?? {}) as { content?: unknown };
  if (body?.['msgtype'] !== 'text' || typeof content !== 'string') {
    return refused(40_035, '缺少参数 json');
  }
  if (bytes > 20_000) return refused(460_101, 'message too long, exceed 20000 bytes');
  return { status: 200, body: { errcode: 0, errmsg: 'ok' } };
}

function shownText(kind: ChatKind, body: Body): string {
  const content = body['content'];
  if (kind === 'dingtalk') return String((body['text'] as Body)['content']);
  if (kind === 'feishu') return String((content as Body)['text']);
  return String(kind === 'discord' ? content : body['text']);
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

/**
 * The five chat services on one address of 127.0.0.1. Each refuses what the service refuses, in its
 * words.
 */
export async function startFakeChats(): Promise<FakeChats> {
  const shown: FakeChats['shown'] = [];
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://chat.test');
      const [, kind, path = ''] = /^\/(\w+)(\/.*)$/.exec(url.pathname) ?? [];
      url.pathname = path;
      const body = parse(text);
      const bytes = Buffer.byteLength(text);
      const reply = {
        slack: () => slack(path, body),
        discord: () => discord(path, body),
        telegram: () => telegram(path, body),
        feishu: () => feishu(path, body, bytes),
        dingtalk: () => dingtalk(url, body, bytes),
      }[kind as ChatKind]();
      const isTaken = !/"ok":false|"code":[1-9]|"errcode":[1-9]/.test(JSON.stringify(reply.body));
      if (reply.status < 300 && isTaken && body !== undefined) {
        bodies.push(body);
        shown.push({ kind: kind as ChatKind, text: shownText(kind as ChatKind, body) });
      }
      response.writeHead(reply.status);
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    addresses: {
      slack: `${origin}/slack/services/T000/B000/slack-secret`,
      discord: `${origin}/discord/api/webhooks/111/discord-secret`,
      telegram: `${origin}/telegram/bot${TELEGRAM_TOKEN}`,
      feishu: `${origin}/feishu/open-apis/bot/v2/hook/feishu-secret`,
      dingtalk: `${origin}/dingtalk/robot/send?access_token=dingtalk-secret`,
    },
    shown,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
