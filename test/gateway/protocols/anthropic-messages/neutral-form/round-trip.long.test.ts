import { describeConversations } from './support/conversations.ts';

describeConversations(10_000);
