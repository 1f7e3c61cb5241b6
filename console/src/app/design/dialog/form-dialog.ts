import {
  afterNextRender,
  Component,
  inject,
  Injector,
  input,
  output,
  viewChild,
} from '@angular/core';
import type { FormGroup } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { MatDialogModule } from '@angular/material/dialog';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import type { Action } from '../../core/state/action';
import { Form } from '../field/form';

/**
 * A form in a dialog: its name, the fields, cancel and the one thing it does. Where something came
 * of it that is shown once, `dialogResult` takes the place of the fields.
 */
@Component({
  selector: 'weir-form-dialog',
  imports: [Form, MatButton, MatDialogModule],
  template: `
    <h2 mat-dialog-title>{{ heading() }}</h2>
    <mat-dialog-content>
      @if (finished()) {
        <ng-content select="[dialogResult]" />
      } @else {
        <weir-form
          [group]="group()"
          [action]="action()"
          [label]="heading()"
          (accepted)="accepted.emit()"
        >
          <ng-content />
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (finished()) {
        <button matButton="filled" type="button" (click)="closed.emit()">{{ t(finish()) }}</button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="save"
          [disabled]="action().busy() || disabled()"
          (click)="submit()"
        >
          {{ save() }}
        </button>
      }
    </mat-dialog-actions>
  `,
  // Its parts are laid out by the dialog: the fields scroll, the actions stay in view.
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class FormDialog {
  readonly #injector = inject(Injector);
  protected readonly t = inject(I18n).t;
  protected readonly form = viewChild(Form);
  readonly heading = input.required<string>();
  readonly save = input.required<string>();
  readonly group = input.required<FormGroup>();
  readonly action = input.required<Action>();
  readonly accepted = output();
  /** There is nothing to save yet. */
  readonly disabled = input(false);
  /** Shows what could be wrong: a field gets the focus only once it is in the page. */
  readonly reveal = input<() => void>();
  readonly finished = input(false);
  /** The label of the button that closes it then. */
  readonly finish = input<PlainKey>('keys.stored');
  readonly closed = output();

  protected submit(): void {
    const reveal = this.reveal();
    if (reveal === undefined) {
      this.form()?.submit();
      return;
    }
    reveal();
    afterNextRender(() => this.form()?.submit(), { injector: this.#injector });
  }
}
