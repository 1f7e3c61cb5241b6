import { FormGroup } from '@angular/forms';
import { AccessTokenCreate, type ACCESS_TOKEN_SCOPES } from '@weir/shared/people/sessions';
import type { MemberRole } from '@weir/shared/api/permissions';
import { moment, momentOrNull, option, words, wordsOf } from '../../core/forms/controls';

type Scope = (typeof ACCESS_TOKEN_SCOPES)[number];

/** A personal access token for scripts. */
export class TokenForm {
  readonly controls = {
    name: words(AccessTokenCreate.properties.name, { required: true }),
    scope: option<Scope>('read'),
    /** Empty: what the person may do. */
    role: option<MemberRole | ''>(''),
    expiresAt: moment(AccessTokenCreate.properties.expiresAt),
  };
  readonly group = new FormGroup(this.controls);

  body(): AccessTokenCreate {
    return {
      name: wordsOf(this.controls.name),
      scope: this.controls.scope.value,
      role: this.controls.role.value === '' ? null : this.controls.role.value,
      expiresAt: momentOrNull(this.controls.expiresAt),
    };
  }
}
