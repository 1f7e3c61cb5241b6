import { Component, inject, input } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import { I18n } from '../../core/i18n/i18n';
import { controlFault, nextFieldId } from './control-fault';

/** Several lines of text. */
@Component({
  selector: 'weir-text-area',
  imports: [MatFormFieldModule, MatInputModule, ReactiveFormsModule],
  template: `
    <label class="label" [for]="id">
      {{ label() }}
      @if (optional()) {
        <span class="optional">{{ t('field.optional') }}</span>
      }
    </label>
    <mat-form-field appearance="outline" subscriptSizing="dynamic">
      <textarea
        matInput
        [id]="id"
        [class.mono]="mono()"
        [rows]="rows()"
        [formControl]="control()"
        [placeholder]="placeholder()"
        [attr.spellcheck]="mono() ? 'false' : null"
      ></textarea>
      @if (hint()) {
        <mat-hint>{{ hint() }}</mat-hint>
      }
      <mat-error>{{ fault() }}</mat-error>
    </mat-form-field>
  `,
  styleUrl: './label.scss',
})
export class TextArea {
  protected readonly t = inject(I18n).t;
  protected readonly id = nextFieldId();

  readonly control = input.required<FormControl<string>>();
  readonly label = input.required<string>();
  readonly hint = input('');
  readonly optional = input(false);
  readonly mono = input(false);
  readonly rows = input(3);
  readonly placeholder = input('');

  protected readonly fault = controlFault(this.control);
}
