import { effect, inject, linkedSignal, untracked, type WritableSignal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute } from '@angular/router';
import { wholeKeyIn } from '@weir/shared/people/key-text';
import { Address, idFrom } from './address';

interface Options<Value extends string> {
  /** Returns the value of a parameter; '' for one that means nothing, which is then removed. */
  readonly read: (parameter: string) => Value | '';
  readonly replaceUrl?: boolean;
  readonly maySay?: (value: string) => boolean;
}

/**
 * A filter of the page's list that is a parameter of its address: a choice changes the address,
 * and an address that changes chooses. Needs an injection context of the page.
 */
function addressValue<Value extends string>(
  name: string,
  { read, replaceUrl = false, maySay = () => true }: Options<Value>,
): WritableSignal<Value | ''> {
  const address = inject(Address);
  const parameters = toSignal(inject(ActivatedRoute).queryParamMap);
  const said = (): string => parameters()?.get(name) ?? '';
  const value = linkedSignal<string, Value | ''>({
    source: said,
    // The address forgets what it may not say; the list still has it.
    computation: (text, previous) =>
      text === '' && previous !== undefined && !maySay(previous.value)
        ? previous.value
        : read(text),
  });
  effect(() => {
    const chosen = value();
    const shown = maySay(chosen) ? chosen : '';
    if (shown !== untracked(said)) address.say(name, shown, { replaceUrl });
  });
  return value;
}

/** One of a few words. */
export function addressChoice<Value extends string>(
  name: string,
  values: readonly Value[],
): WritableSignal<Value | ''> {
  return addressValue(name, { read: (text) => values.find((value) => value === text) ?? '' });
}

export function addressId(name: string): WritableSignal<string> {
  return addressValue<string>(name, { read: idFrom });
}

/**
 * What is searched for. A whole key opens an account: it is searched for and stays out of the
 * address, which browsers keep and proxies log.
 */
export function addressSearch(name: string): WritableSignal<string> {
  return addressValue<string>(name, {
    read: (text) => text,
    replaceUrl: true,
    maySay: (text) => wholeKeyIn(text) === undefined,
  });
}

/** A day of UTC, `2026-01-31`. */
export function addressDay(name: string): WritableSignal<string> {
  return addressValue<string>(name, {
    read: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : ''),
  });
}
