import { FormGroup } from '@angular/forms';
import { MODEL_CAPABILITIES, ModelCreate, type ModelView } from '@weir/shared/catalog/models';
import { NAME_LENGTH_MAX } from '@weir/shared/api/wire-values';
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

/** Returns the name of a model without one of its own. Its id may be longer than a name. */
function nameOf(publicId: string): string {
  return publicId.slice(0, NAME_LENGTH_MAX);
}

export class ModelForm {
  readonly controls;
  readonly group;

  constructor(model?: ModelView) {
    const named = model !== undefined && nameOf(model.displayName) !== nameOf(model.publicId);
    this.controls = {
      publicId: words(rules.publicId, { initial: model?.publicId ?? '', required: true }),
      displayName: words(rules.displayName, { initial: named ? model.displayName : '' }),
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
    const publicId = wordsOf(controls.publicId);
    const sortOrder = wholeOrNothing(controls.sortOrder);
    return {
      publicId,
      // Said also when empty: what is left out of a change stays as it was.
      displayName: wordsOrNothing(controls.displayName) ?? nameOf(publicId),
      vendor: wordsOf(controls.vendor),
      description: wordsOf(controls.description),
      contextTokensMax: wholeOf(controls.contextTokensMax),
      outputTokensMax: wholeOf(controls.outputTokensMax),
      capabilities: controls.capabilities.value.filter(isCapability),
      status: controls.status.value,
      ...(sortOrder === undefined ? {} : { sortOrder }),
      groupIds: [...controls.groupIds.value],
    };
  }
}
