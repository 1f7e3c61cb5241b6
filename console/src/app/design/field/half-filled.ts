import { Directive, ElementRef, forwardRef, inject } from '@angular/core';
import { NG_VALIDATORS, type ValidationErrors, type Validator } from '@angular/forms';

/**
 * A date without its time is the empty text to a form, and the browser reports no change: a key
 * meant to expire would never do so. Only the input itself knows that it is not empty.
 */
@Directive({
  selector: 'input[weirHalfFilled]',
  providers: [{ provide: NG_VALIDATORS, useExisting: forwardRef(() => HalfFilled), multi: true }],
  host: { '(keyup)': 'judge()', '(blur)': 'judge()' },
})
export class HalfFilled implements Validator {
  readonly #input = inject<ElementRef<HTMLInputElement>>(ElementRef).nativeElement;
  #revalidate: () => void = () => undefined;
  #wasHalfFilled = false;

  validate(): ValidationErrors | null {
    this.#wasHalfFilled = this.#input.validity.badInput;
    return this.#wasHalfFilled ? { halfFilled: true } : null;
  }

  registerOnValidatorChange(revalidate: () => void): void {
    this.#revalidate = revalidate;
  }

  protected judge(): void {
    // Judging for nothing would wipe away what the server said about the field.
    if (this.#input.validity.badInput !== this.#wasHalfFilled) this.#revalidate();
  }
}
