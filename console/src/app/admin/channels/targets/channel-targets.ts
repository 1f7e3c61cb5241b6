import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { LearnedRefusalView, TargetOmission, TargetView } from '@weir/shared/catalog/targets';
import { Api } from '../../../core/api/api';
import { failureOf } from '../../../core/api/api-failure';
import { Formatter } from '../../../core/format/formatter';
import { I18n, type Option } from '../../../core/i18n/i18n';
import { FirstRows } from '../../../core/state/first-rows';
import { FailureNote } from '../../../design/feedback/failure-note';
import { Skeleton } from '../../../design/feedback/skeleton';
import { Toasts } from '../../../design/feedback/toasts';
import { Filter } from '../../../design/field/filter';
import { Chip } from '../../../design/text/chip';
import type { ChannelState } from '../channel-state';
import { OMISSION_WORDS } from './target-words';
import { TargetsState } from './targets-state';

const GENERIC = 'generic';

/** Shows what each model accepts at the channel's upstream: by rule, by choice, and as learned. */
@Component({
  selector: 'weir-channel-targets',
  imports: [Chip, FailureNote, Filter, MatButton, Skeleton],
  host: { class: 'card stack', 'data-testid': 'targets' },
  template: `
    <h2>{{ t('targets.title') }}</h2>
    <p class="small soft">{{ t('targets.intro') }}</p>
    @if (targets.targets.failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="targets.targets.load()" />
    }
    @if (targets.targets.value(); as views) {
      <ul>
        @for (target of shown(views); track target.modelId) {
          @let name = state().modelNames().get(target.modelId) ?? target.upstreamName;
          <li [attr.data-model]="target.upstreamName">
            <div class="head">
              <p class="words">
                <code>{{ name }}</code>
                <span class="small" data-testid="in-force">{{ labelOf(target.profile) }}</span>
              </p>
              <weir-chip [tone]="target.isChosen ? 'brand' : 'plain'">{{
                target.isChosen ? t('targets.byHand') : t('targets.byRule')
              }}</weir-chip>
              <button
                matButton
                type="button"
                [attr.aria-label]="t('targets.changeNamed', { model: name })"
                [attr.aria-expanded]="opened() === target.modelId"
                (click)="toggle(target)"
              >
                {{ t('targets.change') }}
              </button>
            </div>
            @if (opened() === target.modelId) {
              <weir-filter
                [label]="t('targets.automatic')"
                [options]="choicesOf(target)"
                [value]="chosenOf(target)"
                (valueChange)="choose(target, $event)"
              />
              <ul class="small soft effects">
                @for (effect of effectsOf(target); track effect) {
                  <li>{{ effect }}</li>
                }
              </ul>
            }
            @for (refusal of target.learned; track refusal.id) {
              <div class="learned" data-testid="learned">
                <p class="small">
                  <code>{{ refusal.field }}</code>
                  {{ wordsOf(refusal) }}
                  @if (refusal.message !== '') {
                    <span class="soft">{{ t('targets.said', { message: refusal.message }) }}</span>
                  }
                </p>
                <span class="cluster">
                  @if (refusal.expiresAt !== null) {
                    <button
                      matButton
                      type="button"
                      [attr.aria-label]="t('targets.keepNamed', { field: refusal.field })"
                      (click)="act(targets.keep(refusal.id, true), 'targets.kept')"
                    >
                      {{ t('targets.keep') }}
                    </button>
                  }
                  <button
                    matButton
                    type="button"
                    [attr.aria-label]="t('targets.forgetNamed', { field: refusal.field })"
                    (click)="act(targets.forget(refusal.id), 'targets.forgotten')"
                  >
                    {{ t('targets.forget') }}
                  </button>
                </span>
              </div>
            }
          </li>
        } @empty {
          <li class="soft">{{ t('channels.noModels') }}</li>
        }
      </ul>
      @if (first.cuts(views)) {
        <button matButton type="button" (click)="first.showAll()">
          {{ t('channels.allModels', { count: views.length }) }}
        </button>
      }
    } @else if (targets.targets.waiting()) {
      <weir-skeleton height="6rem" />
    }
  `,
  styles: `
    :host {
      min-width: 0;
      --weir-filter-width-max: 100%;
    }

    ul {
      display: grid;
      gap: var(--weir-gap-4);
      padding: 0;
      list-style: none;
    }

    ul.effects {
      gap: var(--weir-gap-1);
      padding-inline-start: 1.25rem;
      list-style: disc;
    }

    li {
      display: grid;
      gap: var(--weir-gap-2);
      min-width: 0;
      overflow-wrap: anywhere;
    }

    .effects li {
      display: list-item;
    }

    .head {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto auto;
      align-items: center;
      gap: var(--weir-gap-2);
    }

    .words {
      display: grid;
    }

    .learned {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      align-items: center;
      gap: var(--weir-gap-2);
    }

    .learned p {
      flex: 1 1 16rem;
      min-width: 0;
    }
  `,
})
export class ChannelTargets {
  readonly #toasts = inject(Toasts);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  readonly state = input.required<ChannelState>();
  protected readonly targets = new TargetsState(
    inject(Api),
    () => this.state().channel.value()?.id ?? '',
  );

  /** One at a time: a channel may have thousands of models, and a choice has a hundred options. */
  protected readonly opened = signal<string | null>(null);

  protected readonly first = new FirstRows();

  constructor() {
    // It may serve other models now, or have another upstream.
    effect(() => {
      if (this.state().channel.value() === undefined) return;
      untracked(() => void this.targets.targets.load());
    });
  }

  /** Models with something learned first: at a channel with many, the others are cut. */
  protected shown(views: readonly TargetView[]): readonly TargetView[] {
    if (!this.first.cuts(views)) return views;
    const learned = views.filter((view) => view.learned.length > 0);
    const others = views.filter((view) => view.learned.length === 0);
    return this.first.of([...learned, ...others]);
  }

  protected toggle({ modelId }: TargetView): void {
    this.opened.update((opened) => (opened === modelId ? null : modelId));
  }

  protected labelOf(profile: string): string {
    return this.targets.labelOf(profile) ?? this.t('targets.generic');
  }

  protected choicesOf(target: TargetView): readonly Option[] {
    const generic = { value: GENERIC, label: this.t('targets.generic') };
    const choices = [generic, ...this.targets.choices(target)];
    const chosen = this.chosenOf(target);
    if (chosen === '' || choices.some(({ value }) => value === chosen)) return choices;
    return [{ value: chosen, label: this.labelOf(chosen) }, ...choices];
  }

  /** Returns the choice in the form; empty: by rule. */
  protected chosenOf({ modelId }: TargetView): string {
    return this.state().profileOf(modelId) ?? '';
  }

  protected choose({ modelId }: TargetView, profile: string): void {
    this.state().chooseProfile(modelId, profile === '' ? null : profile);
  }

  protected effectsOf(target: TargetView): readonly string[] {
    const { omissions, refusedFields, efforts, outputLimitField: limit } = target;
    const { toolNameCharactersMax: count } = target;
    const omission = (name: TargetOmission): string => this.t(OMISSION_WORDS[name]);
    return [
      ...omissions.map(omission),
      ...(efforts.length === 0 ? [] : [this.t('targets.efforts', { efforts: efforts.join(', ') })]),
      ...(refusedFields.length === 0
        ? []
        : [this.t('targets.refusedFields', { fields: refusedFields.join(', ') })]),
      ...(limit === null ? [] : [this.t('targets.outputLimit', { field: limit })]),
      ...(target.developerAsSystem ? [this.t('targets.developer')] : []),
      this.t('targets.toolNames', { count: String(count) }),
    ];
  }

  protected wordsOf({ expiresAt, isForAll, learnedAt }: LearnedRefusalView): string {
    if (expiresAt === null) return this.t('targets.leftOutForGood');
    const time = this.#formatter.clock(learnedAt);
    return isForAll
      ? this.t('targets.leftOut', { time })
      : this.t('targets.leftOutForOne', { time });
  }

  protected async act(
    work: Promise<void>,
    done: 'targets.kept' | 'targets.forgotten',
  ): Promise<void> {
    try {
      await work;
      this.#toasts.info(this.t(done));
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
