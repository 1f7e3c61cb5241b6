import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  signal,
  viewChild,
} from '@angular/core';
import { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { Router } from '@angular/router';
import type { UpstreamProbeView } from '@weir/shared/catalog/channels';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Note } from '../../design/feedback/note';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Switch } from '../../design/field/switch';
import { TextArea } from '../../design/field/text-area';
import { BackLink } from '../../design/page/back-link';
import { Page } from '../../design/page/page';
import { Chip } from '../../design/text/chip';
import { watchEdits } from '../../shell/unsaved-edits';
import { ChannelFields } from '../channels/channel-fields';
import { KIND_WORDS } from '../channels/channel-words';
import { OfferList } from './offers/offer-list';
import type { Offers } from './offers/offers';
import { OnboardingState } from './onboarding-state';
import { UPSTREAM_PRESETS, type UpstreamPreset } from './upstream-presets';

/** Addresses of one's own network, for which the switch is offered before it is missed. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;

/** From an address and a key to a channel whose models are sold: everything on one page. */
@Component({
  selector: 'weir-onboarding',
  imports: [
    BackLink,
    ChannelFields,
    Chip,
    Choice,
    Field,
    Form,
    MatButton,
    Note,
    OfferList,
    Page,
    Switch,
    TextArea,
  ],
  templateUrl: './onboarding.html',
  styleUrl: './onboarding.scss',
})
export class Onboarding {
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  readonly #injector = inject(Injector);
  protected readonly t = inject(I18n).t;
  protected readonly presets = UPSTREAM_PRESETS;
  protected readonly kinds = KIND_WORDS;
  protected readonly state = new OnboardingState(inject(Api));
  protected readonly offers: Offers = this.state.sale.offers;
  protected readonly names = new FormControl('', { nonNullable: true });
  protected readonly credential = viewChild<unknown, ElementRef<HTMLElement>>('credential', {
    read: ElementRef,
  });
  protected readonly address = viewChild<unknown, ElementRef<HTMLElement>>('address', {
    read: ElementRef,
  });
  protected readonly form = viewChild<Form>('form');
  readonly #typedAddress = signal('');
  #isSaved = false;

  protected readonly asksForPrivate = computed(
    () =>
      LOCAL.test(this.#typedAddress()) || this.state.probing.failure()?.code === 'address_refused',
  );

  protected readonly keyHint = computed(() =>
    this.state.preset().startsWith('bedrock') ? 'onboard.keyHint.bedrock' : 'onboard.keyHint',
  );

  constructor() {
    watchEdits(() => !this.#isSaved && this.#isBegun());
    this.state.access.address.valueChanges.subscribe((address) => this.#typedAddress.set(address));
    void this.state.load();
  }

  #isBegun(): boolean {
    const { address, credential } = this.state.access;
    return address.dirty || credential.value !== '' || this.offers.ticked().length > 0;
  }

  protected protocolWords({ protocols }: UpstreamProbeView): string {
    return (protocols ?? []).map((id) => this.t(`protocol.${id}`)).join(', ');
  }

  /**
   * Fills in a preset. The next field to be typed gets the focus; a placeholder, such as a region,
   * is selected.
   */
  protected choose(preset: UpstreamPreset): void {
    this.state.choose(preset);
    const start = preset.address.indexOf('{');
    const next = start === -1 ? this.credential() : this.address();
    const input = next?.nativeElement.querySelector('input');
    input?.focus();
    if (start !== -1) input?.setSelectionRange(start, preset.address.indexOf('}') + 1);
  }

  protected async connect(): Promise<void> {
    await this.state.connect();
  }

  protected addNames(): void {
    const names = this.names.value
      .split(/[\s,]+/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) return;
    this.state.addNames(names);
    this.names.setValue('');
  }

  /** Shows the ticked rows first, because a fault that gets the focus may be in a hidden one. */
  protected submit(): void {
    this.offers.showTicked();
    afterNextRender(() => this.form()?.submit(), { injector: this.#injector });
  }

  protected async save(): Promise<void> {
    this.offers.showTicked();
    const saved = await this.state.save();
    if (saved === undefined) return;
    this.#isSaved = true;
    this.#toasts.info(this.t('onboard.saved', { name: saved.name, count: saved.models.length }));
    await this.#router.navigate(['/admin/channels', saved.id]);
  }
}
