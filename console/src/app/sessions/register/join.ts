import { Component, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { ActivatedRoute, RouterLink } from '@angular/router';
import { MEMBER_PERMISSIONS } from '@weir/shared/api/permissions';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Session } from '../../core/session/session';
import { Site } from '../../core/session/site';
import { Loadable } from '../../core/state/loadable';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Consent } from './consent';
import { JoinForm, type Joined } from './join-form';
import { JoinToken } from './join-token';
import { linkToken } from '../password-forms';
import { SessionCard } from '../session-card';
import { SignOnButtons, type SignOnTerms } from '../sign-on-buttons';
import { SignOnChoices } from '../sign-on-choices';

/** The page that the link of an invitation into an account leads to. */
@Component({
  selector: 'weir-join',
  imports: [
    Consent,
    FailureNote,
    Field,
    Form,
    MatButton,
    Note,
    RouterLink,
    SessionCard,
    SignOnButtons,
    Skeleton,
  ],
  templateUrl: './join.html',
})
export class Join {
  readonly #api = inject(Api);
  readonly #i18n = inject(I18n);
  readonly #kept = inject(JoinToken);
  protected readonly t = this.#i18n.t;
  protected readonly session = inject(Session);
  protected readonly site = inject(Site);
  protected readonly roleKey = keyIn('memberRole');
  readonly #token = linkToken(inject(ActivatedRoute).snapshot.fragment) ?? this.#kept.take();
  protected readonly hasToken = this.#token !== undefined;
  protected readonly mailedTo = signal<string | undefined>(undefined);
  protected readonly invitation = new Loadable(async () => {
    const token = this.#token ?? '';
    const preview = await this.#api.call('lookUpMemberInvitation', { body: { token } });
    const form = new JoinForm(this.#api, this.session, {
      token,
      preview,
      mustAgree: () => this.mustAgree(),
    });
    return { preview, form };
  });

  protected readonly signOn = new SignOnChoices(this.#api);
  /** The sign-on comes back to this page with the token, which no server sees behind the "#". */
  protected readonly terms = (): SignOnTerms => {
    const token = this.#token ?? '';
    const consent = this.invitation.value()?.form.controls.termsAccepted.value ?? false;
    return { to: `/join#token=${token}`, memberInvitationToken: token, termsAccepted: consent };
  };

  constructor() {
    if (this.hasToken) void this.invitation.load();
  }

  protected mustAgree(): boolean {
    const settings = this.site.settings();
    return settings !== undefined && (settings.hasTerms || settings.hasPrivacy);
  }

  /** The token is in no address on the way over the login page. */
  protected keepToken(): void {
    if (this.#token !== undefined) this.#kept.keep(this.#token);
  }

  protected async accept(form: JoinForm): Promise<void> {
    this.#begin(await form.accept(), form);
  }

  protected async register(form: JoinForm): Promise<void> {
    this.#begin(await form.register(this.#i18n.language()), form);
  }

  #begin(joined: Joined | undefined, form: JoinForm): void {
    const role = this.invitation.value()?.preview.role ?? 'viewer';
    const mayMakeKeys = MEMBER_PERMISSIONS[role].includes('keys.write');
    // The first thing that a member needs is a key.
    if (joined === 'joined') this.session.beginIn(mayMakeKeys ? '/keys?open=new' : '/dashboard');
    if (joined === 'check_mail') this.mailedTo.set(form.controls.email.value);
  }
}
