import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { shapes } from '../../fields/shape.ts';
import { ListReply } from '../../openai-family/list-reply.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec, Reply, ReplyTerms } from '../../protocol.ts';
import type { ModerationsRequest } from '../from-client/parse-request.ts';
import { moderationForms } from './reply-forms.ts';

/** OpenAI's published fields (`ModerationCreateResponse` of its SDK). */
const MODERATION_REPLY_FIELDS = shapes('id model', [['results', 'any']]);
const NO_STREAM_OPTIONS = { streamOptions: null, includeUsage: false, reportsCost: false };

/** For upstreams that serve moderations: bytes pass, but for what has to differ. */
export const passThrough: Codec<ModerationsRequest> = {
  upstreamProtocol: 'openai-moderations',
  encode: (request, target) => {
    const edits = requestEdits({ ...request, ...NO_STREAM_OPTIONS }, target);
    const { bytes, members } = request;
    return {
      body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    };
  },
  decode: (body, request, _findFailure, terms) => readModerations(body, request, terms),
  forms: moderationForms,
  openStream: () => {
    throw new Error('moderations are not streamed');
  },
};

function readModerations(
  received: Buffer,
  { model }: ModerationsRequest,
  terms?: ReplyTerms,
): Reply | undefined {
  const reply = ListReply.read(withoutByteOrderMark(received), 'results');
  if (reply === undefined) return undefined;
  const edits: MemberEdit[] = [{ name: 'model', value: JSON.stringify(model) }];
  if (terms?.fieldPolicy !== 'all') {
    const unknown = reply.unknownNames(MODERATION_REPLY_FIELDS);
    edits.push(...unknown.map((name) => ({ name, value: undefined })));
  }
  const bytes = rewriteMembers(reply.body, reply.members, edits);
  return { bytes, usage: null, withUsage: () => bytes, deliveredText: () => '' };
}
