import type { FormControl, FormGroup } from '@angular/forms';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import type { Option } from '../../core/i18n/i18n';

interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  /** Absent: always shown. */
  readonly when?: () => boolean;
}

/** A field of the form that asks what to change to. */
export type BulkField = FieldWords &
  (
    | {
        readonly kind: 'line' | 'moment';
        readonly control: FormControl<string>;
        readonly prefix?: string;
        readonly suffix?: string;
      }
    | {
        readonly kind: 'choice';
        readonly control: FormControl<string>;
        readonly options: () => readonly Option[];
      }
    | {
        readonly kind: 'choices';
        readonly control: FormControl<readonly string[]>;
        readonly options: () => readonly Option[];
        readonly placeholder: string;
      }
  );

/** A change of many objects, as its dialog asks for it. */
export interface BulkChange {
  readonly heading: string;
  readonly text: string;
  /** On the button that changes. */
  readonly action: string;
  readonly destructive?: boolean;
  /** Has to be typed first, for what cannot be undone. */
  readonly typed?: string;
  /** Without fields the dialog begins with the preview. */
  readonly form?: { readonly group: FormGroup; readonly fields: readonly BulkField[] };
  /** The body of the request, without `dryRun`. */
  readonly body: () => object;
  readonly send: (
    request: { readonly dryRun: boolean; readonly body: object },
    idempotencyKey: string,
  ) => Promise<BulkChangeReport>;
  readonly undo?: (bulkChangeId: string, idempotencyKey: string) => Promise<BulkChangeReport>;
}
