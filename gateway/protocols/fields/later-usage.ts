import { METER_IDS, METERS, type MeterCounts } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';

/**
 * Returns the counts in force when an upstream reports the usage of a reply once more. The later
 * report replaces the earlier one, but a zero or a gap erases nothing: some servers report the
 * prompt first and the output last, or zeros at the end, or the details of the prompt only once.
 */
export function laterUsage(known: TokenCounts | null | undefined, later: TokenCounts): TokenCounts {
  if (known === null || known === undefined) return later;
  const prompt = hidesPrompt(known, later) ? known : later;
  const completion = later.output < 1 && known.output >= 1 ? known : later;
  const { input, cachedInput, cacheWrite } = prompt;
  const { output, reasoning } = completion;
  const extra = laterExtra(known, later, { prompt, completion });
  const tier = later.tier ?? known.tier;
  return {
    ...{ input, cachedInput, cacheWrite, output, reasoning },
    ...(extra === undefined ? {} : { extra }),
    ...(tier === undefined ? {} : { tier }),
  };
}

/**
 * Reports whether the later report leaves out the prompt, or the part of it that was read from a
 * cache.
 */
function hidesPrompt(known: TokenCounts, later: TokenCounts): boolean {
  if (later.input < 1) return known.input >= 1;
  return later.input === known.input && cachedTokens(later) === 0 && cachedTokens(known) > 0;
}

function cachedTokens({ cachedInput, cacheWrite, extra }: TokenCounts): number {
  return cachedInput + cacheWrite + (extra?.cacheWrite1h ?? 0);
}

function laterExtra(
  known: TokenCounts,
  later: TokenCounts,
  { prompt, completion }: { readonly prompt: TokenCounts; readonly completion: TokenCounts },
): MeterCounts | undefined {
  if (known.extra === undefined && later.extra === undefined) return undefined;
  const counts = METER_IDS.map((id) => {
    switch (METERS[id].unit) {
      case 'input_tokens':
        return [id, prompt.extra?.[id] ?? 0] as const;
      case 'output_tokens':
        return [id, completion.extra?.[id] ?? 0] as const;
      default:
        return [id, Math.max(known.extra?.[id] ?? 0, later.extra?.[id] ?? 0)] as const;
    }
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
