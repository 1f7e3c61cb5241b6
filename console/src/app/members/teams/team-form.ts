import { FormGroup } from '@angular/forms';
import { TeamCreate, type TeamUpdate, type TeamView } from '@weir/shared/people/members';
import { onlyTouched, several, words, wordsOf } from '../../core/forms/controls';

const rules = TeamCreate.properties;

/** A team. No groups of its own means all groups of the account. */
export class TeamForm {
  readonly controls;
  readonly group;

  constructor(team?: TeamView) {
    this.controls = {
      name: words(rules.name, { initial: team?.name ?? '', required: true }),
      groupIds: several(rules.groupIds, team?.groupIds ?? []),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): Required<TeamCreate> {
    const { name, groupIds } = this.controls;
    return { name: wordsOf(name), groupIds: [...groupIds.value] };
  }

  /** A team whose groups were deleted must not get all groups because its name is changed. */
  updateBody(): TeamUpdate {
    return onlyTouched(this.body(), this.controls);
  }
}
