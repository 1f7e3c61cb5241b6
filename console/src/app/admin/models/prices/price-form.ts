import { signal } from '@angular/core';
import { FormGroup, type ValidationErrors } from '@angular/forms';
import { METER_IDS, TOKEN_METER_IDS } from '@weir/shared/prices/meters';
import type { ModelView } from '@weir/shared/catalog/models';
import { LongContextCreate, MeterPricesView } from '@weir/shared/prices/price-fields';
import { PriceCreate } from '@weir/shared/prices/prices';
import { compare, readDecimal } from '../../../core/format/decimal';
import {
  amount,
  amountOf,
  amountOrNull,
  flag,
  moment,
  momentOrNothing,
  whole,
  wholeOf,
  wholeOrNull,
  words,
} from '../../../core/forms/controls';
import { readVariantLines, VariantLines, variantLines } from '../../../core/forms/variant-lines';
import { meterPricesBody, meterPricesGroup } from './meter-prices-form';
import { TierRows } from './tier-rows';

const rules = PriceCreate.properties;
const longRules = LongContextCreate.properties;

const CACHE_PRICES = ['cachedInputUsd', 'cacheWriteUsd'] as const;
const TOKEN_PRICES = ['inputUsd', 'outputUsd', ...CACHE_PRICES] as const;
type TokenPrice = (typeof TOKEN_PRICES)[number];

type Prices = NonNullable<ModelView['price']>;
/** Prices without the time of their start, which does not matter here. */
type Present = (Omit<Prices, 'effectiveFrom'> & Partial<Prices>) | null;

/**
 * A price from now or from a future time on. Past records keep what they were billed at. What long
 * prompts cost is not shown where they cost what others do, so that nothing wrong in it may keep
 * the form from being sent.
 */
export class PriceForm {
  readonly controls;
  readonly extra;
  /** Prices of variants of what the model is priced by in place of tokens, a line each. */
  readonly variants;
  /** The fewest seconds that a request is charged for. */
  readonly secondsMin;
  readonly tiers;
  readonly hasLongContext;
  readonly longContext;
  readonly group;
  readonly #asksForLongContext = signal(false);
  readonly asksForLongContext = this.#asksForLongContext.asReadonly();

  constructor(present: Present) {
    this.controls = {
      ...tokenControls(rules, present),
      perCallUsd: amount(rules.perCallUsd, { initial: present?.perCallUsd ?? '' }),
      effectiveFrom: moment(rules.effectiveFrom),
    };
    this.extra = meterPricesGroup(METER_IDS, present?.extra);
    this.variants = words(VariantLines, { initial: variantLines(present?.extra.variants) });
    const secondsMin = present?.extra.secondsMin;
    this.secondsMin = whole(MeterPricesView.properties.secondsMin, {
      initial: secondsMin === undefined ? '' : String(secondsMin),
    });
    this.tiers = new TierRows(present?.tiers ?? []);
    const longContext = present?.longContext ?? null;
    this.hasLongContext = flag(longContext !== null);
    this.longContext = longContextGroup(longContext);
    const { hasLongContext } = this;
    this.group = new FormGroup({
      ...this.controls,
      extra: this.extra,
      variants: this.variants,
      secondsMin: this.secondsMin,
      tiers: this.tiers.rows,
      hasLongContext,
      longContext: this.longContext,
    });
    this.#keepLongPricesAbove();
    this.#askForLongContext(hasLongContext.value);
    hasLongContext.valueChanges.subscribe((has) => this.#askForLongContext(has));
  }

  /** A long prompt costs no less than a shorter one, as the server demands. */
  #keepLongPricesAbove(): void {
    for (const name of TOKEN_PRICES) {
      const long = this.longContext.controls[name];
      long.addValidators(() => {
        const least = readDecimal(priceOf(this.controls, name));
        const price = readDecimal(priceOf(this.longContext.controls, name));
        const isLess = least !== undefined && price !== undefined && compare(price, least) < 0;
        return isLess ? { belowOrdinary: true } : null;
      });
      this.controls[name].valueChanges.subscribe(() => this.#judgeLongPrices(TOKEN_PRICES));
    }
    const { inputUsd } = this.longContext.controls;
    inputUsd.valueChanges.subscribe(() => this.#judgeLongPrices(CACHE_PRICES));
  }

  #judgeLongPrices(names: readonly TokenPrice[]): void {
    // A field that is judged while its group is being switched off would switch the group on again.
    if (!this.hasLongContext.value) return;
    for (const name of names) this.longContext.controls[name].updateValueAndValidity();
  }

  /**
   * Returns the first fault, also among the prices of long prompts: a table row shows neither those
   * nor the cache's.
   */
  firstFault(): ValidationErrors | null {
    const { longContext, controls } = this;
    const { extra, ...ofTokens } = longContext.controls;
    const ofMeters = [...Object.values(this.extra.controls), ...Object.values(extra.controls)];
    const ofTiers = this.tiers.rows.controls.flatMap((row) => Object.values(row.controls));
    const ofTokensAndCalls = [...Object.values(controls), ...Object.values(ofTokens)];
    const all = [...ofTokensAndCalls, ...ofMeters, this.variants, this.secondsMin, ...ofTiers];
    return all.find(({ invalid }) => invalid)?.errors ?? null;
  }

  #askForLongContext(has: boolean): void {
    this.#asksForLongContext.set(has);
    if (has) this.longContext.enable();
    else this.longContext.disable();
  }

  /** All prices, those that are empty too: what is left out of a body stays as it is in force. */
  body(): PriceCreate {
    const { controls } = this;
    const effectiveFrom = momentOrNothing(controls.effectiveFrom);
    return {
      ...tokenPrices(controls),
      perCallUsd: amountOrNull(controls.perCallUsd),
      extra: {
        ...meterPricesBody(this.extra),
        variants: readVariantLines(this.variants.value),
        secondsMin: wholeOrNull(this.secondsMin),
      },
      tiers: this.tiers.body(),
      longContext: this.hasLongContext.value ? this.#longContextBody() : null,
      ...(effectiveFrom === undefined ? {} : { effectiveFrom }),
    };
  }

  #longContextBody(): LongContextCreate {
    const { controls } = this.longContext;
    return {
      aboveTokens: wholeOf(controls.aboveTokens),
      ...tokenPrices(controls),
      extra: meterPricesBody(controls.extra),
    };
  }

  /**
   * Returns the prices of cached tokens: those of input for empty fields. Only for a valid form.
   */
  cachePrices(): { readonly cachedInputUsd: string; readonly cacheWriteUsd: string } {
    const { inputUsd, cachedInputUsd, cacheWriteUsd } = tokenPrices(this.controls);
    return { cachedInputUsd: cachedInputUsd ?? inputUsd, cacheWriteUsd: cacheWriteUsd ?? inputUsd };
  }
}

/**
 * Returns the initial text of a cache price. A price that was left out is kept as the input
 * price: sent back as given, it would stay when that changes.
 */
function cacheInitial(usd: string | undefined, inputUsd: string | undefined): string {
  return usd === undefined || usd === inputUsd ? '' : usd;
}

function longContextGroup(present: NonNullable<Present>['longContext']) {
  return new FormGroup({
    aboveTokens: whole(longRules.aboveTokens, {
      initial: String(present?.aboveTokens ?? ''),
      required: true,
    }),
    ...tokenControls(longRules, present),
    extra: meterPricesGroup(TOKEN_METER_IDS, present?.extra),
  });
}

type TokenRules = Pick<typeof rules, 'inputUsd' | 'outputUsd' | 'cachedInputUsd' | 'cacheWriteUsd'>;

/** Returns the controls for the prices of tokens, of an ordinary prompt or of a long one. */
function tokenControls(
  { inputUsd, outputUsd, cachedInputUsd, cacheWriteUsd }: TokenRules,
  present: Omit<NonNullable<NonNullable<Present>['longContext']>, 'aboveTokens' | 'extra'> | null,
) {
  return {
    inputUsd: amount(inputUsd, { initial: present?.inputUsd ?? '', required: true }),
    outputUsd: amount(outputUsd, { initial: present?.outputUsd ?? '', required: true }),
    cachedInputUsd: amount(cachedInputUsd, {
      initial: cacheInitial(present?.cachedInputUsd, present?.inputUsd),
    }),
    cacheWriteUsd: amount(cacheWriteUsd, {
      initial: cacheInitial(present?.cacheWriteUsd, present?.inputUsd),
    }),
  };
}

export type TokenControls = ReturnType<typeof tokenControls>;

/** Returns the price that applies: for the cache that of input if its field is empty. */
function priceOf(controls: TokenControls, name: TokenPrice): string {
  return amountOf(controls[name]) || amountOf(controls.inputUsd);
}

/** Prices of caches are null, which means the input price, if their fields are empty. */
function tokenPrices(controls: TokenControls) {
  return {
    inputUsd: amountOf(controls.inputUsd),
    outputUsd: amountOf(controls.outputUsd),
    cachedInputUsd: amountOrNull(controls.cachedInputUsd),
    cacheWriteUsd: amountOrNull(controls.cacheWriteUsd),
  };
}
