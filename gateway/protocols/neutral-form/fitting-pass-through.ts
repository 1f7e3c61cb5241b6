import { isRefusal } from '../../platform/errors/refusal.ts';
import type { Codec, ParsedRequest, Target } from '../protocol.ts';
import { fitRequest } from './fit/fit-request.ts';
import type { FittedRequest } from './fit/fitted-request.ts';
import { encoded } from './translations/translation.ts';
import { translate, writeFitted, type GeneratingProtocol } from './translations/translate.ts';
import { withoutProofs } from './proofs/without-proofs.ts';

/**
 * The codec between a client and an upstream of one protocol. Bytes pass, but a request that the
 * upstream has refused, or that Weir has to change in a way that must be changed back in the reply,
 * is fitted as a whole: it goes to the neutral form and back. What the neutral form cannot carry
 * passes after all, for the upstream to judge.
 */
export function fittingPassThrough(protocol: GeneratingProtocol): Codec {
  const { passThrough, neutralForm } = protocol;
  const whole = translate(protocol, protocol);
  /** Undefined where the fit changes nothing, or cannot be made. */
  const changedByFit = (request: ParsedRequest, target: Target): FittedRequest | undefined => {
    const read = neutralForm.readRequest(request);
    if (isRefusal(read)) return undefined;
    const sent = target.withoutProofs === true ? withoutProofs(read) : read;
    const fitted = fitRequest(sent, target.profile);
    if (isRefusal(fitted)) return undefined;
    const isChanged =
      fitted.isChanged || neutralForm.isRewritten?.(request, target.profile) === true;
    return isChanged ? fitted : undefined;
  };
  return {
    ...passThrough,
    mustNotThink: (request, profile) => neutralForm.mustNotThink?.(request, profile) === true,
    isChangedByFit: (request, target) => changedByFit(request, target) !== undefined,
    encode: (request, target) => {
      const isFitted =
        target.fitsWhole === true || neutralForm.stopsBeyond?.(request, target.profile) === true;
      const fitted = isFitted ? changedByFit(request, target) : undefined;
      if (fitted === undefined) return passThrough.encode(request, target);
      const written = writeFitted(fitted, { client: protocol, upstream: protocol, target });
      return isRefusal(written)
        ? passThrough.encode(request, target)
        : { ...encoded(written, target.allocate), replyCodec: whole };
    },
  };
}
