import { Component, computed, DOCUMENT, inject, input, linkedSignal, signal } from '@angular/core';
import type { PricingModel } from '@weir/shared/prices/prices';
import { I18n } from '../../core/i18n/i18n';
import { Site } from '../../core/session/site';
import { CodeBlock } from '../../design/code/code-block';
import { CopyButton } from '../../design/code/copy-button';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Filter } from '../../design/field/filter';
import { Pills } from '../../design/field/pills';
import { RequestArrivalView } from '../request-arrival-view';
import { FAMILY_NAMES, modelsFor, suggestMedia, suggestModels } from './tool-models';
import { TOOL_IDS, type SetupPart, type SetupValues, type Shell, type ToolId } from './tool-setup';
import { TOOLS } from './tool-setups';

const KEY_PLACEHOLDER = 'sk-…';
const MODEL_PLACEHOLDER = 'model-id';

/** Choose your tool, copy its settings. */
@Component({
  selector: 'weir-tool-setups',
  imports: [CodeBlock, CopyButton, FailureNote, Filter, Note, Pills, RequestArrivalView, Skeleton],
  templateUrl: './tool-setups-view.html',
  styleUrl: './tool-setups-view.scss',
})
export class ToolSetups {
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly chosen = signal<ToolId>('curl');
  protected readonly lasting = signal<'terminal' | 'files'>('terminal');
  protected readonly shell = signal<Shell>(
    inject(DOCUMENT).defaultView?.navigator.userAgent.includes('Windows') === true
      ? 'powershell'
      : 'posix',
  );

  /** The key's value if it is known; a placeholder otherwise. */
  readonly keyValue = input<string>();
  /** The key whose requests are waited for. */
  readonly keyId = input<string>();
  /** Those that the key can use. */
  readonly models = input<readonly PricingModel[]>([]);
  readonly groupId = input<string>();

  protected readonly toolOptions = TOOLS.map(({ id, name }) => ({ value: id, label: name }));
  protected readonly tool = computed(() => {
    const tool = TOOLS.find(({ id }) => id === this.chosen());
    if (tool === undefined) throw new Error(`${this.chosen()} is none of ${TOOL_IDS.join()}`);
    return tool;
  });
  protected readonly suggested = computed(() =>
    suggestModels(this.tool(), this.models(), {
      wanted: this.site.settings()?.defaultModel ?? '',
      groupId: this.groupId(),
    }),
  );
  /** Empty for the suggested one. */
  protected readonly model = linkedSignal({ source: this.chosen, computation: () => '' });
  protected readonly smallModel = linkedSignal({ source: this.chosen, computation: () => '' });
  protected readonly modelOptions = computed(() =>
    modelsFor(this.tool(), this.models()).map(({ publicId: id }) => ({ value: id, label: id })),
  );
  protected readonly familyName = computed(() => {
    const { family } = this.tool();
    return family === undefined ? '' : FAMILY_NAMES[family];
  });

  /**
   * None before the gateway's address is known: settings without it would be copied and fail
   * elsewhere.
   */
  protected readonly parts = computed((): readonly SetupPart[] | undefined => {
    const site = this.site.settings();
    return site && this.#partsIn(this.shell(), site.gatewayUrl);
  });
  protected readonly hasShells = computed(() => {
    const texts = (['posix', 'powershell'] as const).map((shell) => this.#partsIn(shell, ''));
    return JSON.stringify(texts[0]) !== JSON.stringify(texts[1]);
  });
  protected readonly boxes = computed(() =>
    (this.parts() ?? []).filter((part) => part.kind === 'box'),
  );
  protected readonly lastingOptions = computed(() => [
    { value: 'terminal' as const, label: this.t('tools.forTerminal') },
    { value: 'files' as const, label: this.t('tools.forGood') },
  ]);
  protected readonly shellOptions = computed(() => [
    { value: 'posix' as const, label: 'macOS, Linux' },
    { value: 'powershell' as const, label: 'Windows PowerShell' },
  ]);

  #partsIn(shell: Shell, gatewayUrl: string): readonly SetupPart[] {
    const tool = this.tool();
    const suggested = this.suggested();
    const model = this.model() || (suggested?.model ?? MODEL_PLACEHOLDER);
    const parts = this.lasting() === 'files' ? (tool.files ?? tool.parts) : tool.parts;
    const values: SetupValues = {
      gatewayUrl,
      key: this.keyValue() ?? KEY_PLACEHOLDER,
      model,
      smallModel: this.smallModel() || (suggested?.smallModel ?? model),
      opusModel: suggested?.isOfFamily === true ? suggested.opusModel : model,
      sonnetModel: suggested?.isOfFamily === true ? suggested.sonnetModel : model,
      media: suggestMedia(this.models()),
      shell,
    };
    return [...parts(values), ...(tool.media?.(values) ?? [])];
  }

  /** Windows has another word for the home folder. */
  protected labelOf(part: Extract<SetupPart, { kind: 'code' }>): string {
    if (typeof part.label === 'string') return this.t(part.label);
    const { file } = part.label;
    return this.shell() === 'powershell' && file.startsWith('~/')
      ? file.replace('~', '%USERPROFILE%').replaceAll('/', '\\')
      : file;
  }
}
