import { Component, computed, input } from '@angular/core';

/**
 * A name that may be an e-mail address: where there is no room for it on one line it breaks before
 * its `@`.
 */
@Component({
  selector: 'weir-name',
  host: { class: 'two-lines', '[title]': 'value()' },
  template: `{{ parts()[0] }}<wbr />{{ parts()[1] }}`,
})
export class Name {
  readonly value = input.required<string>();

  protected readonly parts = computed((): readonly [string, string] => {
    const value = this.value();
    const at = value.indexOf('@');
    return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at)];
  });
}
