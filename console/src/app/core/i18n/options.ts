import { DOCUMENT, inject, type Signal } from '@angular/core';
import { Loadable } from '../state/loadable';
import { untilIdle } from '../state/until-idle';
import { optionsOf, type Option } from './i18n';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The keys of words that begin alike: what a template says of a status. */
export function keyIn<Prefix extends string>(
  prefix: Prefix,
): <Word extends string>(word: Word) => `${Prefix}.${Word}` {
  return (word) => `${prefix}.${word}`;
}

/** Most of what an operator makes can be switched off. Needs an injection context. */
export function statusOptions(): Signal<readonly Option<'active' | 'disabled'>[]> {
  return optionsOf(['active', 'disabled'], keyIn('state'));
}

export function namedOptions(rows: readonly Named[] = []): readonly Option[] {
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}

type FetchNamed = () => Promise<{ readonly data: readonly Named[] }>;

function loadableOptions(fetch: FetchNamed): Loadable<readonly Option[]> {
  return new Loadable(async () => namedOptions((await fetch()).data));
}

/** Fetches named objects of the server as options, at once. */
export function fetchOptions(fetch: FetchNamed): Loadable<readonly Option[]> {
  const options = loadableOptions(fetch);
  void options.load();
  return options;
}

/** Fetches them when the browser is idle: for filters of a list, which comes first. */
export function fetchOptionsLater(fetch: FetchNamed): Loadable<readonly Option[]> {
  const options = loadableOptions(fetch);
  void untilIdle(inject(DOCUMENT)).then(() => options.load());
  return options;
}
