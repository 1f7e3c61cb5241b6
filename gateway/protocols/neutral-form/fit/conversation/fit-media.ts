import type { Refusal } from '../../../../platform/errors/refusal.ts';
import { invalidValue } from '../../../fields/field-faults.ts';
import type { MediaRules } from '../../../target-profile.ts';
import type { NeutralMessage, TextPart, ToolResultPart, UserPart } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { fittedPart } from './fitted-part.ts';
import { mapSame } from '../map-same.ts';
import { showResultMedia } from './show-result-media.ts';

type ResultContent = ToolResultPart['content'][number];

/**
 * Brings images, files and audio into the form that the target takes; what it cannot read is
 * refused. Within the result of a tool a text takes its place: no person chose to send it, and a
 * refusal would end the session, because every later turn carries the same result.
 */
export const fitMedia: Fit = (request, { media }) => {
  const conversation = new MediaFitter(media);
  const messages = mapSame(request.messages, (message) => conversation.fit(message));
  if (conversation.refusal !== undefined) return conversation.refusal;
  const shown = media.toolResultImages ? messages : showResultMedia(messages);
  return { request: shown === request.messages ? request : { ...request, messages: shown } };
};

class MediaFitter {
  /** The first thing that the target cannot read, if any. */
  refusal: Refusal | undefined;
  readonly #rules: MediaRules;
  /** Images, files and audio so far: clients of all protocols count them alike. */
  #count = 0;

  constructor(rules: MediaRules) {
    this.#rules = rules;
  }

  fit(message: NeutralMessage): NeutralMessage {
    switch (message.role) {
      case 'system':
      // A model's own images: the writers know who takes them back.
      case 'assistant':
        return message;
      case 'user': {
        const parts = mapSame(message.parts, (part) => this.#userPart(part));
        return parts === message.parts ? message : { role: 'user', parts };
      }
      case 'tool': {
        const parts = mapSame(message.parts, (result) => this.#result(result));
        return parts === message.parts ? message : { role: 'tool', parts };
      }
    }
  }

  #userPart(part: UserPart): UserPart {
    if (part.type === 'text') return part;
    this.#count += 1;
    const fitted = fittedPart(part, this.#rules);
    if (typeof fitted !== 'string') return fitted;
    this.refusal ??= invalidValue(
      'messages',
      `The upstream of this model ${fitted} This is about number ${this.#count} of the images and files in the conversation.`,
    );
    return part;
  }

  #result(result: ToolResultPart): ToolResultPart {
    const content = mapSame(result.content, (part) => this.#resultPart(part));
    return content === result.content ? result : { ...result, content };
  }

  #resultPart(part: ResultContent): ResultContent {
    if (part.type === 'text') return part;
    this.#count += 1;
    const fitted = fittedPart(part, this.#rules);
    return typeof fitted === 'string' ? noteOf(part, fitted) : fitted;
  }
}

/** Names to the model what it cannot read, in its place. */
function noteOf({ type, cache }: Exclude<ResultContent, TextPart>, reason: string): TextPart {
  const [first = ''] = reason.split('. ');
  const text = `[The ${type} that was here has been left out: the model’s upstream ${first.replace(/\.$/, '')}.]`;
  return { type: 'text', text, ...(cache === undefined ? {} : { cache }) };
}
