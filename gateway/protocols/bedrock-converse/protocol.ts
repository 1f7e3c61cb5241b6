import type { UpstreamProtocol } from '../protocol.ts';
import { converseForms } from './from-upstream/reply-forms.ts';
import { neutralForm } from './neutral-form.ts';

/**
 * Amazon Bedrock's Converse: one form for the models of all makers. The paths say which model, and
 * whether the reply is streamed. No client speaks it to Weir.
 */
export const bedrockConverse: UpstreamProtocol = {
  id: 'bedrock-converse',
  name: 'Bedrock Converse',
  forms: converseForms,
  neutralForm,
};
