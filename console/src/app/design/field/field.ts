import { Component, computed, inject, input, signal } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { MatIconButton } from '@angular/material/button';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import { I18n } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';
import { controlFault, nextFieldId } from './control-fault';
import { HalfFilled } from './half-filled';

/** One line of text with its label above, a hint or a fault below. */
@Component({
  selector: 'weir-field',
  imports: [
    HalfFilled,
    Icon,
    MatFormFieldModule,
    MatIconButton,
    MatInputModule,
    ReactiveFormsModule,
  ],
  template: `
    <label class="label" [for]="id">
      {{ label() }}
      @if (optional()) {
        <span class="optional">{{ t('field.optional') }}</span>
      }
    </label>
    <mat-form-field appearance="outline" subscriptSizing="dynamic">
      @if (prefix()) {
        <span matTextPrefix>{{ prefix() }}&nbsp;</span>
      }
      <input
        matInput
        weirHalfFilled
        [id]="id"
        [class.mono]="mono()"
        [type]="shownType()"
        [formControl]="control()"
        [autocomplete]="autocomplete()"
        [name]="name()"
        [attr.inputmode]="inputmode() || null"
        [attr.spellcheck]="mono() ? 'false' : null"
        [attr.maxlength]="maxlength()"
        [placeholder]="placeholder()"
      />
      @if (suffix()) {
        <span matTextSuffix>{{ suffix() }}</span>
      }
      @if (type() === 'password') {
        <button
          matIconButton
          matSuffix
          type="button"
          [attr.aria-label]="t('field.showPassword')"
          [attr.aria-pressed]="shown()"
          (click)="shown.set(!shown())"
        >
          <weir-icon [name]="shown() ? 'eyeOff' : 'eye'" />
        </button>
      }
      @if (hint()) {
        <mat-hint>{{ hint() }}</mat-hint>
      }
      <mat-error>{{ fault() }}</mat-error>
    </mat-form-field>
  `,
  styleUrl: './label.scss',
})
export class Field {
  protected readonly t = inject(I18n).t;
  protected readonly id = nextFieldId();
  protected readonly shown = signal(false);

  readonly control = input.required<FormControl<string>>();
  readonly label = input.required<string>();
  readonly hint = input('');
  readonly type = input<'text' | 'email' | 'password' | 'datetime-local' | 'search'>('text');
  readonly optional = input(false);
  readonly mono = input(false);
  readonly prefix = input('');
  readonly suffix = input('');
  readonly placeholder = input('');
  readonly autocomplete = input('off');
  readonly name = input('');
  readonly inputmode = input('');
  readonly maxlength = input<number | null>(null);

  protected readonly fault = controlFault(this.control);
  protected readonly shownType = computed(() => {
    const type = this.type();
    return type === 'password' && this.shown() ? 'text' : type;
  });
}
