import type { ChannelTestView } from '@weir/shared/channels';

/** What a test of a channel came to, as it is stored. */
export interface TestRow {
  readonly id: string;
  readonly ok: boolean;
  readonly upstreamName: string;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly reply: string | null;
  readonly error: string | null;
  readonly createdAt: string | Date;
}

export function testView(row: TestRow): ChannelTestView {
  return { ...row, createdAt: new Date(row.createdAt).toISOString() };
}
