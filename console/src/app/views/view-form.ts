import { FormGroup } from '@angular/forms';
import { SavedViewCreate } from '@weir/shared/watch/saved-views';
import { words, wordsOf } from '../core/forms/controls';

/** The name of a saved view; its filters are those of the list. */
export class ViewForm {
  readonly controls;
  readonly group;

  constructor(name = '') {
    this.controls = {
      name: words(SavedViewCreate.properties.name, { initial: name, required: true }),
    };
    this.group = new FormGroup(this.controls);
  }

  name(): string {
    return wordsOf(this.controls.name);
  }
}
