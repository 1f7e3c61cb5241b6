import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { ChannelCreate, type UpstreamTestView } from '@weir/shared/catalog/channels';
import type { ModelView } from '@weir/shared/catalog/models';
import type {
  ListedModel,
  ListPrices,
  PriceListFormat,
} from '@weir/shared/prices/price-lists/price-list';
import { PriceCreate } from '@weir/shared/prices/prices';
import type { Decimal } from '../../../core/format/decimal';
import { amount, amountOf, wordsOf, words } from '../../../core/forms/controls';
import { Action } from '../../../core/state/action';
import { scaledPrice } from '../../models/prices/scale-price';

export type NewModel = NonNullable<ChannelCreate['newModels']>[number];

const rules = ChannelCreate.properties.newModels.items.properties;

/**
 * The assumed context of a model that no list has, as at a first start: an upstream refuses longer
 * prompts itself.
 */
const UNLISTED_CONTEXT_TOKENS = 128_000;
const UNLISTED_OUTPUT_TOKENS = 32_000;

const NOT_ALLOWED = /[^A-Za-z0-9._:/@+-]/g;
const PUBLIC_ID_CHARACTERS_MAX = 128;

/** A proposed price with where it comes from. */
export interface Proposal {
  readonly format: PriceListFormat;
  readonly listed: ListedModel;
}

/** A model of an upstream that may be sold: what it is called here, and what it costs. */
export class Offer {
  readonly upstreamName: string;
  /** The model in the catalog. */
  readonly model: ModelView | undefined;
  readonly ticked = signal(false);
  readonly proposal = signal<Proposal | undefined>(undefined);
  readonly testing = new Action();
  readonly test = signal<UpstreamTestView | undefined>(undefined);
  /** All prices with the markup on them, those in fields too. */
  readonly prices = signal<ListPrices | undefined>(undefined);
  /** Somebody's own prices are not replaced by another list or markup. */
  readonly isEdited = signal(false);
  #form: OfferForm | undefined;

  constructor(upstreamName: string, model: ModelView | undefined) {
    this.upstreamName = upstreamName;
    this.model = model;
  }

  /** It is in the catalog with a price: sold elsewhere already, and at that price here too. */
  get isSold(): boolean {
    return this.model !== undefined && this.model.price !== null;
  }

  get state(): 'new' | 'sold' | 'unpriced' {
    if (this.isSold) return 'sold';
    return this.model === undefined ? 'new' : 'unpriced';
  }

  /** Its fields, made when they are first wanted: an upstream may have thousands of models. */
  get form(): OfferForm {
    this.#form ??= this.#makeForm();
    return this.#form;
  }

  #makeForm(): OfferForm {
    const publicId = this.model?.publicId ?? publicIdFor(this.upstreamName);
    const form = offerForm(publicId, this.prices());
    const { prices } = form.controls;
    prices.valueChanges.subscribe(() => {
      if (prices.dirty) this.isEdited.set(true);
    });
    return form;
  }

  /** Takes a price from a list, times a factor. */
  propose(proposal: Proposal | undefined, factor: Decimal): void {
    this.proposal.set(proposal);
    if (this.isEdited()) return;
    const prices = proposal?.listed.prices ?? null;
    const scaled = prices === null ? undefined : scaledPrice(prices, factor);
    this.prices.set(scaled);
    const { inputUsd = '', outputUsd = '' } = scaled ?? {};
    this.#form?.controls.prices.setValue({ inputUsd, outputUsd });
  }

  body(): NewModel {
    const { publicId, prices: price } = this.form.controls;
    const listed = this.proposal()?.listed;
    return {
      publicId: wordsOf(publicId),
      upstreamName: this.upstreamName,
      ...(listed !== undefined && listed.displayName !== '' && { displayName: listed.displayName }),
      contextTokensMax: listed?.contextTokensMax ?? UNLISTED_CONTEXT_TOKENS,
      outputTokensMax: listed?.outputTokensMax ?? UNLISTED_OUTPUT_TOKENS,
      capabilities: [...(listed?.capabilities ?? [])],
      prices: {
        ...this.prices(),
        inputUsd: amountOf(price.controls.inputUsd),
        outputUsd: amountOf(price.controls.outputUsd),
      },
    };
  }
}

function offerForm(publicId: string, prices: ListPrices | undefined) {
  const { inputUsd, outputUsd } = PriceCreate.properties;
  return new FormGroup({
    publicId: words(rules.publicId, { initial: publicId, required: true }),
    prices: new FormGroup({
      inputUsd: amount(inputUsd, { initial: prices?.inputUsd ?? '', required: true }),
      outputUsd: amount(outputUsd, { initial: prices?.outputUsd ?? '', required: true }),
    }),
  });
}

export type OfferForm = ReturnType<typeof offerForm>;

/** The upstream's name where it may be a public one, else without what may not be in it. */
function publicIdFor(upstreamName: string): string {
  return upstreamName
    .replaceAll(NOT_ALLOWED, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, PUBLIC_ID_CHARACTERS_MAX);
}
