import { Component, computed, DestroyRef, effect, inject, input, untracked } from '@angular/core';
import { PROTOCOL_IDS } from '@weir/shared/catalog/protocols';
import type { FailedAttemptView } from '@weir/shared/watch/requests';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { protocolWord } from '../../core/i18n/protocol-words';
import { Session } from '../../core/session/session';
import { Site } from '../../core/session/site';
import { CodeBlock } from '../../design/code/code-block';
import { CopyButton } from '../../design/code/copy-button';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { RequestContent } from '../../content-log/request-content';
import { Bill } from '../../usage/bill';
import type { UsageRow } from '../../usage/usage-row';
import { requestCurl } from './request-curl';
import { RequestPageState } from './request-page-state';
import { RequestWaterfall } from './request-waterfall';
import { requestTone } from '../request-words';
import type { RequestRow } from '../requests-state';

const LOOK_AGAIN_MS = 2_000;

/** The facts that a request and its bill have in common. */
type Facts = Pick<
  RequestRow,
  | ('requestId' | 'createdAt' | 'model' | 'stream' | 'keyId' | 'keyName' | 'groupName')
  | ('accountId' | 'accountName' | 'channelId' | 'channelName' | 'firstByteMs' | 'attempts')
>;

interface AlikeLink {
  readonly label: PlainKey;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * One request: its steps on a time axis, its bill, the words of its upstreams and where to find
 * others like it. Operators see everyone's; customers see their own, without channels.
 */
@Component({
  selector: 'weir-request-page',
  imports: [Bill, CodeBlock, CopyButton, PAGE_PARTS, RequestContent, RequestWaterfall],
  templateUrl: './request-page.html',
  styles: `
    .id {
      display: flex;
      align-items: center;
      gap: var(--weir-gap-1);
    }

    .attempt {
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border: 1px solid var(--weir-line);
      border-radius: var(--weir-radius-m);
    }

    .words {
      overflow-wrap: anywhere;
    }

    .alike {
      margin: 0;
      padding: 0;
      list-style: none;
    }

    .card {
      align-content: start;
      min-width: 0;
    }
  `,
})
export class RequestPage {
  readonly #api = inject(Api);
  readonly #session = inject(Session);
  readonly #site = inject(Site);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly toneOf = requestTone;
  protected readonly isOperator = this.#session.may('getRequest');
  protected readonly maySeeContent = this.#session.may(
    this.isOperator ? 'getContent' : 'getOwnContent',
  );
  protected readonly listAddress = this.isOperator ? '/admin/requests' : '/requests';
  /** The parameter of the address. */
  readonly requestId = input.required<string>();

  readonly #state = computed(
    () => new RequestPageState(this.#api, this.requestId(), { isOperator: this.isOperator }),
  );
  protected get state(): RequestPageState {
    return this.#state();
  }
  protected readonly request = computed(() => this.state.request.value() ?? null);
  readonly #bill = computed(() => this.state.bill.value() ?? null);
  protected readonly facts = computed((): Facts => {
    const known = this.request() ?? this.#bill();
    if (known === null) throw new Error('nothing is known of the request');
    return known;
  });
  protected readonly durationMs = computed(
    () => this.request()?.durationMs ?? this.#bill()?.latencyMs ?? 0,
  );
  protected readonly protocol = computed(() =>
    this.#protocolName(this.request()?.protocol ?? this.#bill()?.protocol),
  );
  /** The protocol of the upstream, where it is another one. */
  protected readonly translated = computed(() => {
    const { protocol, upstreamProtocol } = this.#bill() ?? ({} as Partial<UsageRow>);
    if (upstreamProtocol == null || upstreamProtocol === protocol) return null;
    const word = protocolWord(upstreamProtocol);
    return word === null ? null : this.t(word);
  });
  protected readonly curl = computed(() => {
    const request = this.request();
    const gatewayUrl = this.#site.settings()?.gatewayUrl;
    if (request === null || gatewayUrl === undefined) return undefined;
    return requestCurl(request, gatewayUrl);
  });
  protected readonly alike = computed((): readonly AlikeLink[] => {
    const { keyId, model, channelId, accountId } = this.facts();
    const code = this.request()?.code ?? null;
    const links = [
      ['requests.alike.key', 'key', keyId],
      ['requests.alike.model', 'model', model],
      ['requests.alike.channel', 'channel', channelId],
      ['requests.alike.account', 'account', this.isOperator ? accountId : null],
      ['requests.alike.code', 'code', code],
    ] as const;
    return links.flatMap(([label, name, value]) =>
      value == null ? [] : [{ label, query: { [name]: value, range: 'week' } }],
    );
  });

  constructor() {
    effect(() => {
      const state = this.#state();
      untracked(() => void state.load());
    });
    const timer = setInterval(() => {
      if (this.state.isExpected()) void this.state.lookAgain();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected whatFailed({ upstreamStatus, failure }: FailedAttemptView): string {
    const status = upstreamStatus === null ? '' : `HTTP ${String(upstreamStatus)}`;
    return [status, failure ?? ''].filter((part) => part !== '').join(' · ');
  }

  /** None for a protocol of a newer server. */
  #protocolName(protocol: string | null | undefined): string | null {
    const word = protocolWord(PROTOCOL_IDS.find((id) => id === protocol) ?? null);
    return word === null ? (protocol ?? null) : this.t(word);
  }
}
