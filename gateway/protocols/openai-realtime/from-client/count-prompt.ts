/**
 * Sessions are admitted by the size of their context, which the session itself follows: no body
 * holds it, and nothing is left to count.
 */
export function* countPrompt(): Generator<undefined, number> {
  yield undefined;
  return 0;
}
