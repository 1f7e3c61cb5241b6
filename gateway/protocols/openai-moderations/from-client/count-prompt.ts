/** No tokens of moderations are counted: they are free. */
// eslint-disable-next-line require-yield
export function* countPrompt(): Generator<undefined, number> {
  return 0;
}
