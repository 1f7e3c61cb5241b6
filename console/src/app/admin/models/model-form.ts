import { FormGroup } from '@angular/forms';
import { MODEL_CAPABILITIES, ModelCreate, type ModelView } from '@weir/shared/models';
import {
  option,
  several,
  whole,
  wholeOf,
  wholeOrNothing,
  words,
  wordsOf,
  wordsOrNothing,
} from '../../core/forms/controls';

const rules = ModelCreate.properties;
type Capability = (typeof MODEL_CAPABILITIES)[number];

function isCapability(text: string): text is Capability {
  return MODEL_CAPABILITIES.some((capability) => capability === text);
}

export class ModelForm {
  readonly controls;
  readonly group;

  constructor(model?: ModelView) {
    this.controls = {
      publicId: words(rules.publicId, { initial: model?.publicId ?? '', required: true }),
      displayName: words(rules.displayName, { initial: model?.displayName ?? '' }),
      vendor: words(rules.vendor, { initial: model?.vendor ?? '' }),
      description: words(rules.description, { initial: model?.description ?? '' }),
      contextTokensMax: whole(rules.contextTokensMax, {
        initial: String(model?.contextTokensMax ?? ''),
        required: true,
      }),
      outputTokensMax: whole(rules.outputTokensMax, {
        initial: String(model?.outputTokensMax ?? ''),
        required: true,
      }),
      capabilities: several(rules.capabilities, model?.capabilities ?? ['tools', 'json']),
      status: option<'active' | 'disabled'>(model?.status ?? 'active'),
      sortOrder: whole(rules.sortOrder, { initial: String(model?.sortOrder ?? '') }),
      groupIds: several(rules.groupIds, model?.groupIds ?? []),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): ModelCreate {
    const { controls } = this;
    const displayName = wordsOrNothing(controls.displayName);
    return {
      publicId: wordsOf(controls.publicId),
      ...(displayName === undefined ? {} : { displayName }),
      vendor: wordsOf(controls.vendor),
      description: wordsOf(controls.description),
      contextTokensMax: wholeOf(controls.contextTokensMax),
      outputTokensMax: wholeOf(controls.outputTokensMax),
      capabilities: controls.capabilities.value.filter(isCapability),
      status: controls.status.value,
      sortOrder: wholeOrNothing(controls.sortOrder) ?? 0,
      groupIds: [...controls.groupIds.value],
    };
  }
}
