import { Component, inject, input, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { I18n } from '../core/i18n/i18n';
import { Icon } from '../design/icon/icon';

/** Sends a request, and stops it while it runs. */
@Component({
  selector: 'weir-send-button',
  imports: [Icon, MatButton],
  template: `
    @if (running()) {
      <button matButton="outlined" type="button" data-testid="stop" (click)="stopped.emit()">
        <weir-icon matButtonIcon name="stop" />{{ t('playground.stop') }}
      </button>
    } @else {
      <button
        matButton="filled"
        type="button"
        data-testid="send"
        [disabled]="!ready()"
        (click)="sent.emit()"
      >
        <weir-icon matButtonIcon name="send" />{{ words() }}
      </button>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class SendButton {
  protected readonly t = inject(I18n).t;
  readonly running = input.required<boolean>();
  readonly ready = input.required<boolean>();
  readonly words = input.required<string>();
  readonly sent = output();
  readonly stopped = output();
}
