import { FormGroup } from '@angular/forms';
import * as Type from 'typebox';
import { whole, wholeOrNothing, words, wordsOrNothing } from '../core/forms/controls';
import type { Parameters } from './dialects/dialect';

/** Ranges of the chat-completions interface. */
const Temperature = Type.Number({ minimum: 0, maximum: 2 });
const TopP = Type.Number({ minimum: 0, maximum: 1 });
const OutputTokensMax = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const SystemPrompt = Type.String({ maxLength: 100_000 });

/** The settings sent in addition to the messages; empty ones are left to the model. */
export class ChatSettings {
  readonly controls = {
    system: words(SystemPrompt),
    temperature: whole(Temperature),
    topP: whole(TopP),
    outputTokensMax: whole(OutputTokensMax),
  };
  readonly group = new FormGroup(this.controls);

  parameters(): Parameters {
    const temperature = wholeOrNothing(this.controls.temperature);
    const topP = wholeOrNothing(this.controls.topP);
    const outputTokensMax = wholeOrNothing(this.controls.outputTokensMax);
    return {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(outputTokensMax === undefined ? {} : { outputTokensMax }),
    };
  }

  system(): string | undefined {
    return wordsOrNothing(this.controls.system);
  }
}
