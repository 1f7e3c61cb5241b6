import { computed, signal } from '@angular/core';
import { Id } from '@weir/shared/wire-values';
import { USAGE_STATUSES, type UsageStatus } from '@weir/shared/usage-record';
import { matchesSchema } from '../core/api/matches-schema';
import { lastDays } from './usage-days';

export const RANGE_DAYS = { '1': 1, '7': 7, '30': 30, '90': 90 } as const;
export type Range = keyof typeof RANGE_DAYS;

function isStatus(text: string): text is UsageStatus {
  return USAGE_STATUSES.some((status) => status === text);
}

/** An id that came with the address. Anything else filters nothing, and the filter says so. */
export function idFrom(parameter: string | undefined): string {
  return parameter !== undefined && matchesSchema(Id, parameter) ? parameter : '';
}

/** What part of the usage is looked at. The same for table and export; the chart cannot follow all of it. */
export class UsageFilters {
  readonly #today: () => string;
  readonly range = signal<Range>('30');
  readonly keyId = signal('');
  readonly model = signal('');
  readonly status = signal('');

  readonly days = computed(() => lastDays(RANGE_DAYS[this.range()], Date.parse(this.#today())));
  readonly any = computed(() => this.keyId() !== '' || this.model() !== '' || this.status() !== '');
  /** The chart shows more than the table. */
  readonly beyondChart = computed(() => this.status() !== '');

  constructor(today: () => string) {
    this.#today = today;
  }

  /** For the list and the export. No end: what happens meanwhile belongs to it. */
  recordQuery(): { from: string; keyId?: string; model?: string; status?: UsageStatus } {
    const keyId = this.keyId();
    const model = this.model();
    const status = this.status();
    return {
      from: `${this.days().from}T00:00:00.000Z`,
      ...(keyId === '' ? {} : { keyId }),
      ...(model === '' ? {} : { model }),
      ...(isStatus(status) ? { status } : {}),
    };
  }

  /** For the chart: sums per day know no status. */
  dayQuery(): { from: string; to: string; keyId?: string; model?: string } {
    const keyId = this.keyId();
    const model = this.model();
    return {
      ...this.days(),
      ...(keyId === '' ? {} : { keyId }),
      ...(model === '' ? {} : { model }),
    };
  }

  clear(): void {
    this.keyId.set('');
    this.model.set('');
    this.status.set('');
  }
}
