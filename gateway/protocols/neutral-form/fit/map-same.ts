/** Returns the list with each element mapped; the very same list where no element changes. */
export function mapSame<Element>(
  list: readonly Element[],
  map: (element: Element, index: number) => Element,
): readonly Element[] {
  let mapped: Element[] | undefined;
  for (const [index, element] of list.entries()) {
    const result = map(element, index);
    if (result === element && mapped === undefined) continue;
    mapped ??= list.slice(0, index);
    mapped.push(result);
  }
  return mapped ?? list;
}
