/**
 * The reply of the load upstream, named by the model, so that every proxy under test passes
 * the same bytes to the same path:
 *
 *   short                  one small reply at once
 *   slow-<ms>              the same after a delay
 *   stream-<n>-<ms>        n chunks, one every so many milliseconds
 *   hold                   a stream of one chunk that stays open until the client leaves
 *   image-<bytes>          an image of so many bytes of base64
 *   speech-<bytes>         a file of sound
 */
export type ReplyPlan =
  | { readonly kind: 'whole'; readonly delayMs: number }
  | { readonly kind: 'stream'; readonly chunks: number; readonly intervalMs: number }
  | { readonly kind: 'image'; readonly bytes: number }
  | { readonly kind: 'speech'; readonly bytes: number }
  | { readonly kind: 'hold' };

const MODEL = Buffer.from('"model":"');
const QUOTE = 0x22;
const SHORT: ReplyPlan = { kind: 'whole', delayMs: 0 };
const plans = new Map<string, ReplyPlan>();

/**
 * Reads the plan from the first bytes of a request body. Nothing is parsed: our own requests and
 * what a proxy makes of them have the model near their beginning, and a full parse of 200 kB would
 * make the upstream the bottleneck.
 */
export function readPlan(body: Buffer): ReplyPlan {
  const at = body.indexOf(MODEL);
  if (at < 0) return SHORT;
  const start = at + MODEL.length;
  const name = body.toString('latin1', start, body.indexOf(QUOTE, start));
  let plan = plans.get(name);
  if (plan === undefined) {
    plan = planFor(name);
    plans.set(name, plan);
  }
  return plan;
}

/** Returns the plan of a model name; names it does not know are answered as `short`. */
export function planFor(model: string): ReplyPlan {
  const [kind = '', first = '0', second = '0'] = model.split('-');
  if (kind === 'slow') return { kind: 'whole', delayMs: Number(first) };
  if (kind === 'image' || kind === 'speech') return { kind, bytes: Number(first) };
  if (kind === 'stream') {
    return { kind: 'stream', chunks: Number(first), intervalMs: Math.max(1, Number(second)) };
  }
  return kind === 'hold' ? { kind: 'hold' } : SHORT;
}
