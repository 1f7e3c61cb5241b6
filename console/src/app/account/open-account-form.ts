import { FormGroup } from '@angular/forms';
import { OwnAccountCreate } from '@weir/shared/people/members';
import { words, wordsOf } from '../core/forms/controls';

/** A further account of the person. */
export class OpenAccountForm {
  readonly controls = { name: words(OwnAccountCreate.properties.name, { required: true }) };
  readonly group = new FormGroup(this.controls);

  body(): OwnAccountCreate {
    return { name: wordsOf(this.controls.name) };
  }
}
