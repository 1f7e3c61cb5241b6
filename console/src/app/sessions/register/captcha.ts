import { DOCUMENT } from '@angular/common';
import {
  afterNextRender,
  Component,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import type { PublicSettings } from '@weir/shared/people/settings';
import { I18n } from '../../core/i18n/i18n';
import { Note } from '../../design/feedback/note';

/** What both vendors' scripts offer. */
interface Widget {
  render(place: HTMLElement, options: Readonly<Record<string, unknown>>): string | number;
  reset(id: string | number): void;
}

/** The server's Content-Security-Policy allows these hosts, and only those of the chosen vendor. */
const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
} as const;

/** The check for robots of the vendor that the operator chose. Its tokens are used once. */
@Component({
  selector: 'weir-captcha',
  imports: [Note],
  template: `
    <div #place class="place" data-testid="captcha"></div>
    @if (isAway()) {
      <weir-note tone="warn">{{ t('register.captchaAway') }}</weir-note>
    }
  `,
  styles: `
    .place {
      min-height: 65px;
    }
  `,
})
export class Captcha {
  readonly #document = inject(DOCUMENT);
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  readonly captcha = input.required<NonNullable<PublicSettings['captcha']>>();
  /** Undefined when a token has run out. */
  readonly token = output<string | undefined>();
  protected readonly isAway = signal(false);
  protected readonly place = viewChild.required<ElementRef<HTMLElement>>('place');
  #reset = (): void => undefined;

  constructor() {
    afterNextRender(() => this.#load());
  }

  /** For another attempt: a token that was sent is used up. */
  reset(): void {
    this.token.emit(undefined);
    this.#reset();
  }

  #load(): void {
    const script = this.#document.createElement('script');
    script.src = SCRIPTS[this.captcha().provider];
    script.async = true;
    script.addEventListener('load', () => this.#show());
    script.addEventListener('error', () => this.isAway.set(true));
    this.#document.head.append(script);
  }

  #show(): void {
    const { provider, siteKey } = this.captcha();
    const view = this.#document.defaultView as
      | (Window & Partial<Record<typeof provider, Widget>>)
      | null;
    const widget = view?.[provider];
    if (widget === undefined) {
      this.isAway.set(true);
      return;
    }
    const id = widget.render(this.place().nativeElement, {
      sitekey: siteKey,
      // The vendors' names of the language; both fall back to the browser's.
      language: this.#i18n.language(),
      hl: this.#i18n.language(),
      theme: this.#isDark() ? 'dark' : 'light',
      callback: (token: string) => this.token.emit(token),
      'expired-callback': () => this.token.emit(undefined),
      'error-callback': () => this.isAway.set(true),
    });
    this.#reset = () => widget.reset(id);
  }

  #isDark(): boolean {
    const root = this.#document.documentElement;
    return this.#document.defaultView?.getComputedStyle(root).colorScheme === 'dark';
  }
}
