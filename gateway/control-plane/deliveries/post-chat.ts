import type { ChatKind } from '@weir/shared/watch/alerts';
import { CHAT_SERVICES, type ChatAddress } from './chat-services.ts';
import { postJson } from './post-json.ts';

const REASON_CHARACTERS_MAX = 300;

export interface ChatMessage {
  readonly kind: ChatKind;
  readonly address: ChatAddress;
  readonly text: string;
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
}

/** Posts a message into a chat once. Rejects with the service's words unless it was taken. */
export async function postChat(message: ChatMessage): Promise<void> {
  const { kind, address, text, allowPrivate, timeoutMs } = message;
  const service = CHAT_SERVICES[kind];
  const { url, body } = service.post(address, text, Date.now());
  const reply = await postJson({ url, body: JSON.stringify(body), allowPrivate, timeoutMs });
  const refusal = service.refusal(reply);
  if (refusal === undefined) return;
  const words = refusal.replace(/\s+/g, ' ').slice(0, REASON_CHARACTERS_MAX);
  throw new Error(words === '' ? `HTTP ${reply.status}` : `HTTP ${reply.status}: ${words}`);
}
