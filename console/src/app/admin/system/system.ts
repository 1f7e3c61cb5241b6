import { Component, computed, DestroyRef, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { SecretRotationView } from '@weir/shared/people/settings';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Site } from '../../core/session/site';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Page } from '../../design/page/page';
import { Chip } from '../../design/text/chip';
import { THREAD_WORDS } from '../overview/overview-state';
import { JOB_NAMES } from './job-names';
import { Storage } from './storage';

const LOOK_AGAIN_MS = 10_000;

/** The version, and the state of what Weir runs on: stores, threads, jobs, encryption. */
@Component({
  selector: 'weir-system',
  imports: [Chip, FailureNote, MatButton, Note, Page, Skeleton, Storage],
  templateUrl: './system.html',
})
export class System {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly formatter = inject(Formatter);
  protected readonly state = new Loadable(() => this.#api.call('getOverview'));
  /** Late and failing jobs first. */
  protected readonly jobs = computed(() =>
    (this.state.value()?.jobs ?? []).toSorted(
      (one, other) => Number(isBad(other)) - Number(isBad(one)),
    ),
  );
  protected readonly isBad = isBad;
  protected readonly threadWords = THREAD_WORDS;
  protected readonly rotating = new Action();
  protected readonly rotation = signal<SecretRotationView | undefined>(undefined);

  constructor() {
    void this.state.load();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.state.loadWhenIdle();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected nameOf(job: string): string {
    const key = JOB_NAMES.get(job);
    return key === undefined ? job : this.t(key);
  }

  protected async rotate(): Promise<void> {
    await this.rotating.run(async () => {
      this.rotation.set(await this.#api.call('rotateSecrets'));
    });
  }
}

function isBad(job: { readonly late: boolean; readonly lastFailure: string | null }): boolean {
  return job.late || job.lastFailure !== null;
}
