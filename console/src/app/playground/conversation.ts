import { effect, inject, InjectionToken, signal } from '@angular/core';
import { Api } from '../core/api/api';
import type { ApiPort } from '../core/api/call-input';
import { Session } from '../core/session/session';
import { Chat } from './chat';
import { ChatSettings } from './chat-settings';
import type { TalkProtocol } from './dialects/dialect';
import { ReplyBill } from './reply-bill';

/**
 * The state that survives a visit to another page, but not the tab: the messages, a reply on its
 * way, the unsent text, and the choices. In memory only.
 */
export class Conversation {
  readonly chat: Chat;
  readonly bill: ReplyBill;
  readonly settings = new ChatSettings();
  readonly draft = signal('');
  readonly model = signal('');
  readonly keyId = signal('');
  readonly protocol = signal<TalkProtocol>('openai-chat');

  constructor(api: ApiPort, chat: Chat) {
    this.bill = new ReplyBill(api);
    this.chat = chat;
  }

  /** A new conversation with the same model and key. */
  clear(): void {
    this.chat.clear();
    this.bill.clear();
  }

  /** For the next user of this browser. */
  forget(): void {
    this.clear();
    this.settings.group.reset();
    this.draft.set('');
    this.model.set('');
    this.keyId.set('');
    this.protocol.set('openai-chat');
  }
}

export const CONVERSATION = new InjectionToken<Conversation>('conversation', {
  providedIn: 'root',
  factory: () => {
    const session = inject(Session);
    const chat = new Chat({
      fetch: (...request) => fetch(...request),
      now: () => performance.now(),
    });
    const conversation = new Conversation(inject(Api), chat);
    let owner = session.user()?.id;
    effect(() => {
      const user = session.user()?.id;
      if (user !== owner) conversation.forget();
      owner = user;
    });
    return conversation;
  },
});
