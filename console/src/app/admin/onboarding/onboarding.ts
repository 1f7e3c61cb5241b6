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
import type { UpstreamProbeView } from '@weir/shared/channels';
import type { PriceList } from '@weir/shared/price-lists/price-list';
import { Api } from '../../core/api/api';
import { I18n, type Option } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { Note } from '../../design/feedback/note';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Pills } from '../../design/field/pills';
import { SearchBox } from '../../design/field/search-box';
import { Switch } from '../../design/field/switch';
import { TextArea } from '../../design/field/text-area';
import { Icon } from '../../design/icon/icon';
import { BackLink } from '../../design/page/back-link';
import { Page } from '../../design/page/page';
import { Chip } from '../../design/text/chip';
import { watchEdits } from '../../shell/unsaved-edits';
import { ChannelFields } from '../channels/channel-fields';
import { KIND_WORDS } from '../channels/channel-words';
import { OfferRow } from './offer-row';
import { isMarkup } from '../price-lists/markup';
import type { OfferFilter, Offers } from './offers';
import { OnboardingState } from './onboarding-state';
import { PriceListDialog } from './price-list-dialog';
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
    Icon,
    MatButton,
    Note,
    OfferRow,
    Page,
    Pills,
    SearchBox,
    Switch,
    TextArea,
  ],
  templateUrl: './onboarding.html',
  styleUrl: './onboarding.scss',
})
export class Onboarding {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  readonly #injector = inject(Injector);
  protected readonly t = inject(I18n).t;
  protected readonly presets = UPSTREAM_PRESETS;
  protected readonly kinds = KIND_WORDS;
  protected readonly state = new OnboardingState(inject(Api));
  protected readonly offers: Offers = this.state.offers;
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
  protected readonly markupIsRight = computed(() => {
    const text = this.offers.markup().trim();
    return text === '' || isMarkup(text);
  });
  protected readonly groupOptions = computed(() =>
    (this.state.groups.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly filters = computed((): readonly Option<OfferFilter>[] => [
    { value: 'all', label: this.t('onboard.all') },
    { value: 'new', label: this.t('onboard.new') },
    { value: 'sold', label: this.t('onboard.sold') },
    { value: 'ticked', label: this.t('onboard.ticked') },
  ]);

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

  /** What is to be typed next has the focus. */
  protected choose(preset: UpstreamPreset): void {
    this.state.choose(preset);
    const next = preset.address.includes('{') ? this.address() : this.credential();
    next?.nativeElement.querySelector('input')?.focus();
  }

  protected async connect(): Promise<void> {
    await this.state.connect();
  }

  protected setMarkup(event: Event): void {
    if (event.target instanceof HTMLInputElement) this.offers.setMarkup(event.target.value);
  }

  protected async importPrices(): Promise<void> {
    const list = await this.#dialogs.open<Offers, PriceList>(PriceListDialog, {
      data: this.offers,
      wide: true,
    });
    if (list !== undefined) this.offers.useList(list);
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

  /** What is wrong may be in a row that is not shown: it is before it gets the focus. */
  protected submit(): void {
    this.#showAllTicked();
    afterNextRender(() => this.form()?.submit(), { injector: this.#injector });
  }

  #showAllTicked(): void {
    const shown = new Set(this.offers.shown());
    if (this.offers.ticked().some((offer) => !shown.has(offer))) this.offers.showTicked();
  }

  protected async save(): Promise<void> {
    this.#showAllTicked();
    const saved = await this.state.save();
    if (saved === undefined) return;
    this.#isSaved = true;
    this.#toasts.info(this.t('onboard.saved', { name: saved.name, count: saved.models.length }));
    await this.#router.navigate(['/admin/channels', saved.id]);
  }
}
