import type { Offer } from '../catalog/catalog.ts';
import { isRefusal, type Refusal } from '../platform/errors/refusal.ts';
import { mustNotThinkAbout } from '../protocols/neutral-form/fit/fit-reasoning.ts';
import { hasPrice } from '../pricing/compile-prices.ts';
import {
  encoded,
  type TranslatableRequest,
  type Translation,
  type WrittenRequest,
} from '../protocols/neutral-form/translations/translation.ts';
import {
  ADVISORY_FIELDS,
  STREAM_FIELD,
  STREAM_ONLY_FIELDS,
} from '../protocols/fields/advisory-fields.ts';
import { isDefault, ScannedBody } from '../protocols/fields/field-path.ts';
import type { Encoded, ParsedRequest, Target } from '../protocols/protocol.ts';
import type { StoredThings } from '../protocols/stored-replies.ts';
import type { BodyBuffers } from './http/body/body-buffers.ts';
import { fieldsFor, type SentFields } from './routing/fields-for.ts';
import type { ServedRoute } from './routing/served-routes.ts';

/** An attempt's decisions about its body. */
export interface BodyTerms {
  /** See `Admitted.outputTokensCap`. */
  readonly outputTokensCap: number | null;
  /** The upstream's account has not made this conversation, or cannot verify all of it. */
  readonly withoutProofs: boolean;
  /** The stored objects that the request continues. */
  readonly stored: StoredThings | undefined;
  /** See `Target.fitsWhole`. */
  readonly fitsWhole: boolean;
  /** Fields of the upstream's body that it has refused by name. */
  readonly withoutFields: readonly string[];
}

/** The decisions of most attempts: they use a body that was written before the hold. */
const ORDINARY: BodyTerms = {
  outputTokensCap: null,
  withoutProofs: false,
  stored: undefined,
  fitsWhole: false,
  withoutFields: [],
};

export interface UpstreamBodiesParts {
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly bodyBuffers: BodyBuffers;
}

/** The parts of a request that all channels of one field policy share. */
interface Source extends SentFields {
  readonly policy: string;
  neutral: TranslatableRequest | Refusal | undefined;
}

/**
 * Writes the bodies of one request's attempts. A request that is translated is parsed once for all
 * of them, before the hold: what no channel can be sent is refused while it costs nothing.
 */
export class UpstreamBodies {
  readonly #parts: UpstreamBodiesParts;
  #source: Source | undefined;
  /** The body that showed before the hold that a route can be sent the request. */
  #written: { readonly route: ServedRoute; readonly request: WrittenRequest } | undefined;

  readonly #allocate = (bytes: number): Buffer => this.#parts.bodyBuffers.take(bytes);

  constructor(parts: UpstreamBodiesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the routes in the protocols that can serve the request: one that asks for thinking with
   * tools takes the protocol in which the upstream supports both, if it can be written in that.
   */
  routesFor(routes: readonly ServedRoute[]): readonly ServedRoute[] {
    if (!routes.some(({ thinking }) => thinking !== undefined)) return routes;
    return routes.map((route) => {
      const { thinking } = route;
      if (thinking?.codec.translation === undefined || !this.#mustNotThink(route)) return route;
      const request = this.#translate(thinking, thinking.codec.translation, ORDINARY);
      return isRefusal(request) ? route : thinking;
    });
  }

  /** Reports whether thinking would be switched off, though the request does not say so. */
  #mustNotThink(route: ServedRoute): boolean {
    const { codec, profile } = route;
    const { translation } = codec;
    const source = this.#sourceFor(route);
    if (translation === undefined) return codec.mustNotThink?.(source.sent, profile) === true;
    const neutral = (source.neutral ??= translation.read(source.sent));
    return !isRefusal(neutral) && 'tools' in neutral && mustNotThinkAbout(neutral, profile);
  }

  /**
   * Refuses a request that none of the routes can be sent; the refusal is of the first. Undefined
   * at the first one that can, and where a route passes the client's bytes.
   */
  refuse(routes: readonly ServedRoute[]): Refusal | undefined {
    const refusal = routes.some(passes) ? undefined : this.#refuseTranslated(routes);
    this.#parts.request.parsed?.drop();
    return refusal;
  }

  #refuseTranslated(routes: readonly ServedRoute[]): Refusal | undefined {
    let refusal: Refusal | undefined;
    for (const route of routes.flatMap(withAlternatives)) {
      const { translation } = route.codec;
      if (translation === undefined) return undefined;
      const request = this.#translate(route, translation, ORDINARY);
      if (!isRefusal(request)) {
        this.#written = { route, request };
        return undefined;
      }
      refusal ??= request;
    }
    return refusal;
  }

  /** Returns the body for a route's upstream, or the refusal of what it cannot be sent. */
  write(route: ServedRoute, terms: BodyTerms): Encoded | Refusal {
    const written = this.#write(route, terms);
    const { withoutFields } = terms;
    if (withoutFields.length === 0 || isRefusal(written)) return written;
    const { stream } = this.#parts.request;
    const scanned = new ScannedBody(written.body);
    const refused = withoutFields.filter(
      (field) => scanned.has(field) && (stream || field !== STREAM_FIELD),
    );
    if (refused.length === 0) return written;
    const asksWhole = refused.includes(STREAM_FIELD);
    const out = asksWhole ? [...refused, ...STREAM_ONLY_FIELDS] : refused;
    const body = scanned.without(out, this.#allocate);
    const names = refused.flatMap((field) => this.#clientName(field, route) ?? []);
    if (written.body !== this.#parts.request.bytes) this.#parts.bodyBuffers.release(written.body);
    const leftOut = [...(written.leftOut ?? []), ...names];
    return { ...written, body, leftOut, ...(asksWhole && { asksWhole }) };
  }

  /**
   * Returns what the client calls a field of the upstream's body; undefined if it sent none, or
   * nothing but the default.
   */
  #clientName(field: string, { codec }: ServedRoute): string | undefined {
    if (isDefault(field)) return undefined;
    const { translation, upstreamProtocol } = codec;
    if (translation === undefined) {
      return new ScannedBody(this.#parts.request.bytes).has(field) ? field : undefined;
    }
    const origin = ADVISORY_FIELDS[upstreamProtocol][field] ?? 'client';
    if (origin === 'client') return field;
    const neutral = this.#source?.neutral;
    if (origin === 'weir' || neutral === undefined || isRefusal(neutral)) return undefined;
    return translation.clientName?.(origin, neutral);
  }

  #write(route: ServedRoute, terms: BodyTerms): Encoded | Refusal {
    const { codec } = route;
    const { translation } = codec;
    if (translation === undefined) {
      return codec.encode(this.#sourceFor(route).sent, this.#target(route, terms));
    }
    const written = isOrdinary(terms) ? this.#written : undefined;
    const request =
      written?.route === route ? written.request : this.#translate(route, translation, terms);
    return isRefusal(request) ? request : encoded(request, this.#allocate);
  }

  /**
   * Reports whether an upstream that refused the request as it came may accept it when it is
   * fitted.
   */
  isChangedByFit(route: ServedRoute, terms: BodyTerms): boolean {
    const { sent } = this.#sourceFor(route);
    return route.codec.isChangedByFit?.(sent, this.#target(route, terms)) === true;
  }

  /** Paths of the request's fields that a route's channel does not get. */
  droppedFields(route: ServedRoute): readonly string[] {
    const { dropped } = this.#sourceFor(route);
    const { tier } = this.#parts.request;
    if (tier === undefined || this.#pricedTier === undefined) return dropped;
    const isPassed = route.codec.translation === undefined && route.envelope === undefined;
    const isSent = (isPassed && tier.isHeader !== true) || this.tierHeader(route).length > 0;
    return isSent ? dropped.filter((name) => name !== tier.field) : dropped;
  }

  /** Returns the header, name and value, with which the upstream is asked for a tier. */
  tierHeader({ envelope }: ServedRoute): readonly string[] {
    const header = envelope?.tierHeader;
    const tier = this.#pricedTier;
    return header !== undefined && tier !== undefined && header.tiers.has(tier)
      ? [header.name, tier]
      : [];
  }

  /** The tier that the client asks for, if the model has a price for it. */
  get #pricedTier(): string | undefined {
    const { request, offer } = this.#parts;
    const { tier } = request;
    return tier !== undefined && offer.prices.tiers.has(tier.name) ? tier.name : undefined;
  }

  /** The reply has begun: no other attempt follows, and a long stream must not hold the memory. */
  release(): void {
    this.#source = undefined;
    this.#written = undefined;
  }

  /** Writes the neutral request for one served route: the only place where that is done. */
  #translate(
    route: ServedRoute,
    translation: Translation,
    terms: BodyTerms,
  ): WrittenRequest | Refusal {
    const source = this.#sourceFor(route);
    const neutral = (source.neutral ??= translation.read(source.sent));
    return isRefusal(neutral) ? neutral : translation.write(neutral, this.#target(route, terms));
  }

  #sourceFor({ channel }: ServedRoute): Source {
    const { request } = this.#parts;
    // Without unknown fields all channels get the same body.
    const policy = request.unknownFields == null ? '' : channel.fieldPolicy;
    if (this.#source?.policy !== policy) {
      this.#source = { policy, ...fieldsFor(channel, request), neutral: undefined };
    }
    return this.#source;
  }

  #target(
    { channel, upstreamModel, profile, omittedFields, envelope }: ServedRoute,
    terms: BodyTerms,
  ): Target {
    const { request, offer } = this.#parts;
    const { maxOutputTokens } = request;
    const { prices, model } = offer;
    const { outputTokensMax } = model;
    const isBeyond = maxOutputTokens !== null && maxOutputTokens > outputTokensMax;
    return {
      upstreamModel,
      outputLimitField: channel.outputLimitField,
      profile,
      omittedFields,
      envelope,
      outputTokensMax,
      // Weir requests no more output than it can bill.
      outputTokensCap: isBeyond ? outputTokensMax : terms.outputTokensCap,
      pricedMeters: [...request.meters, ...(request.droppableMeters ?? [])].filter((meter) =>
        hasPrice(prices, meter),
      ),
      tier: this.#pricedTier,
      withoutProofs: terms.withoutProofs,
      stored: terms.stored,
      fitsWhole: terms.fitsWhole,
      allocate: this.#allocate,
    };
  }
}

function passes({ codec, alternative }: ServedRoute): boolean {
  return codec.translation === undefined || (alternative !== undefined && passes(alternative));
}

function withAlternatives(route: ServedRoute): ServedRoute[] {
  return [route, ...(route.alternative === undefined ? [] : withAlternatives(route.alternative))];
}

function isOrdinary({ outputTokensCap, withoutProofs, stored }: BodyTerms): boolean {
  return outputTokensCap === null && !withoutProofs && stored === undefined;
}
