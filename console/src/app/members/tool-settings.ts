import { Component, computed, inject, signal } from '@angular/core';
import { FormControl, FormGroup } from '@angular/forms';
import type { ManagedSettingsView } from '@weir/shared/people/device-logins';
import { mayCall } from '@weir/shared/api/may-call';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Action } from '../core/state/action';
import { Loadable } from '../core/state/loadable';
import { Form } from '../design/field/form';
import { TextArea } from '../design/field/text-area';
import { Toasts } from '../design/feedback/toasts';
import { PAGE_PARTS } from '../design/page/page-parts';
import { watchEdits } from '../shell/unsaved-edits';
import { memberLinks } from './member-links';
import { readSettings, shownSettings } from './read-settings';

/** The settings that Claude Code of the account's members takes, as JSON. */
@Component({
  selector: 'weir-tool-settings',
  imports: [Form, TextArea, PAGE_PARTS],
  template: `
    <weir-page [heading]="t('toolSettings.title')" [intro]="t('toolSettings.intro')">
      <weir-sub-nav [label]="t('members.title')" [links]="links()" />
      @if (stored.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="load()" />
      } @else if (stored.waiting()) {
        <weir-skeleton width="100%" />
      } @else if (manages()) {
        <weir-form
          [group]="group"
          [action]="saving"
          [label]="t('toolSettings.title')"
          (accepted)="save()"
        >
          <weir-text-area
            [mono]="true"
            [rows]="16"
            [control]="json"
            [label]="t('toolSettings.json')"
            [hint]="t('toolSettings.hint')"
          />
          @if (fault(); as reason) {
            <weir-note tone="warn">{{ t('toolSettings.notJson', { reason }) }}</weir-note>
          }
          <div formActions>
            <button matButton="filled" type="submit" [disabled]="saving.busy()">
              {{ t('action.save') }}
            </button>
          </div>
        </weir-form>
      } @else {
        <pre class="card">{{ shown() }}</pre>
      }
      @if (stored.value()?.checksum; as checksum) {
        <p class="small soft checksum">{{ t('toolSettings.checksum', { checksum }) }}</p>
      }
    </weir-page>
  `,
  styles: `
    .checksum {
      overflow-wrap: anywhere;
    }
  `,
})
export class ToolSettings {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly links = memberLinks();
  protected readonly json = new FormControl('', { nonNullable: true });
  protected readonly group = new FormGroup({ settings: this.json });
  protected readonly saving = new Action();
  protected readonly fault = signal<string | undefined>(undefined);
  protected readonly stored = new Loadable(() => this.#api.call('getManagedSettings'));
  protected readonly shown = computed(() => shownSettings(this.stored.value()?.settings ?? null));
  protected readonly manages = computed(() => {
    const standing = this.#session.standing();
    return standing !== undefined && mayCall(standing, 'updateManagedSettings');
  });

  constructor() {
    watchEdits(() => this.manages() && this.json.value !== this.shown());
    void this.load();
  }

  protected async load(): Promise<void> {
    await this.stored.load();
    this.json.setValue(this.shown());
  }

  protected async save(): Promise<void> {
    const read = readSettings(this.json.value);
    this.fault.set(read.fault);
    if (read.fault !== undefined) return;
    const { settings } = read;
    const checksum = this.stored.value()?.checksum ?? null;
    const saved = await this.saving.run(async () => {
      const body = { settings, checksum };
      this.#take(await this.#api.call('updateManagedSettings', { body }));
    });
    if (saved) this.#toasts.info(this.t('toolSettings.saved'));
  }

  #take(view: ManagedSettingsView): void {
    this.stored.set(view);
    this.json.setValue(this.shown());
  }
}
