import { Component, computed, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { KEY_OWNERS } from '@weir/shared/people/keys';
import { startWith, switchMap } from 'rxjs';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Choice } from '../../design/field/choice';
import { teamOptions } from '../../members/teams/team-options';
import type { KeyForm } from './key-form';

/** Chooses the owner of a new key. Unseen where there is nothing to choose. */
@Component({
  selector: 'weir-key-owner-fields',
  imports: [Choice],
  template: `
    @if (isSeen) {
      <weir-choice
        [control]="form().controls.owner"
        [label]="t('keys.owner')"
        [hint]="t('keys.ownerHint')"
        [options]="owners()"
      />
      @if (isOfAccount()) {
        <weir-choice
          [control]="form().controls.teamId"
          [label]="t('teams.team')"
          [options]="teams()"
        />
      }
    }
  `,
})
export class KeyOwnerFields {
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  readonly form = input.required<Pick<KeyForm, 'controls'>>();
  protected readonly isSeen =
    this.#session.permits('keys.all') && this.#session.membership()?.personal === false;
  protected readonly owners = optionsOf(KEY_OWNERS, (owner) =>
    owner === 'member' ? 'keys.ownerMember' : 'keys.ownerAccount',
  );
  protected readonly teams = this.isSeen ? teamOptions() : computed(() => []);
  readonly #owner = toSignal(
    toObservable(this.form).pipe(
      switchMap(({ controls: { owner } }) => owner.valueChanges.pipe(startWith(owner.value))),
    ),
  );
  protected readonly isOfAccount = computed(() => this.#owner() === 'account');
}
