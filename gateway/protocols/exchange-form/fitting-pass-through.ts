import { isRefusal } from '../../platform/errors/refusal.ts';
import type { Codec, ParsedRequest, Target } from '../protocol.ts';
import { fitRequest } from './fit/fit-request.ts';
import { translate, type GeneratingProtocol } from './translate.ts';

/**
 * The codec between a client and an upstream of one protocol. Bytes pass, but a request that the
 * upstream has refused, or that Weir has to change in a way that must be changed back in the reply,
 * is fitted as a whole: it goes to the neutral form and back. What the neutral form cannot carry
 * passes after all, for the upstream to judge.
 */
export function fittingPassThrough(protocol: GeneratingProtocol): Codec {
  const { passThrough, exchange } = protocol;
  const whole = translate(protocol, protocol);
  const isChanged = (request: ParsedRequest, target: Target): boolean => {
    const read = exchange.readRequest(request);
    if (isRefusal(read)) return false;
    const fitted = fitRequest(read, target.profile);
    if (isRefusal(fitted)) return false;
    return fitted.request !== read || exchange.renamesTools?.(request) === true;
  };
  return {
    ...passThrough,
    isChangedByFit: isChanged,
    encode: (request, target) => {
      const stops = exchange.stopsBeyond?.(request, target.profile) === true;
      if (!stops && !(target.fitsWhole === true && isChanged(request, target))) {
        return passThrough.encode(request, target);
      }
      const encoded = whole.encode(request, target);
      return isRefusal(encoded)
        ? passThrough.encode(request, target)
        : { ...encoded, replyCodec: whole };
    },
  };
}
