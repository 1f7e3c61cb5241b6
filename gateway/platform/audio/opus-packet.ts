/** Opus always counts at this rate, whatever it encodes. */
export const OPUS_SAMPLES_PER_SECOND = 48_000;
/** A packet holds at most 120 ms (RFC 6716, section 3.2.5). */
export const OPUS_PACKET_SAMPLES_MAX = 5_760;

/** Samples of a frame by the packet's configuration (RFC 6716, table 2): SILK, hybrid, CELT. */
const SILK_SAMPLES = [480, 960, 1_920, 2_880];
const HYBRID_SAMPLES = [480, 960];
const CELT_SAMPLES = [120, 240, 480, 960];
const HYBRID_FIRST = 12;
const CELT_FIRST = 16;

/**
 * Returns the samples of an Opus packet.
 * @param toc its first byte
 * @param next its second byte, which counts the frames of some packets; 0 if there is none
 */
export function opusPacketSamples(toc: number, next: number): number {
  const configuration = toc >>> 3;
  const code = toc & 3;
  const frames = code === 0 ? 1 : code === 3 ? next & 0x3f : 2;
  return Math.min(frames * frameSamples(configuration), OPUS_PACKET_SAMPLES_MAX);
}

function frameSamples(configuration: number): number {
  if (configuration >= CELT_FIRST) return CELT_SAMPLES[configuration % 4] ?? 0;
  if (configuration >= HYBRID_FIRST) return HYBRID_SAMPLES[configuration % 2] ?? 0;
  return SILK_SAMPLES[configuration % 4] ?? 0;
}
