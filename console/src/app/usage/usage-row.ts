import type { UsageRecordAdminView, UsageRecordView } from '@weir/shared/watch/usage';

/** A record, and what only operators are told of it. */
export type UsageRow = UsageRecordView & Partial<Omit<UsageRecordAdminView, keyof UsageRecordView>>;
