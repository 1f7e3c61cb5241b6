import { Component, input } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { MatSlideToggle } from '@angular/material/slide-toggle';
import { nextFieldId } from './control-fault';

/** On or off, with what it means next to it. */
@Component({
  selector: 'weir-switch',
  imports: [MatSlideToggle, ReactiveFormsModule],
  template: `
    <mat-slide-toggle
      [formControl]="control()"
      [aria-labelledby]="id + '-label'"
      [aria-describedby]="hint() ? id + '-hint' : ''"
      [hideIcon]="true"
    />
    <div>
      <p class="words" [id]="id + '-label'">{{ label() }}</p>
      @if (hint()) {
        <p class="small soft" [id]="id + '-hint'">{{ hint() }}</p>
      }
    </div>
  `,
  styles: `
    :host {
      display: flex;
      align-items: flex-start;
      gap: var(--weir-gap-3);
    }

    .words {
      font-weight: 550;
      font-size: 0.9375rem;
    }
  `,
})
export class Switch {
  protected readonly id = nextFieldId();
  readonly control = input.required<FormControl<boolean>>();
  readonly label = input.required<string>();
  readonly hint = input('');
}
