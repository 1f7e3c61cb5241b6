import type { ChannelTestView } from '@weir/shared/catalog/channels';

/** The stored result of a test of a channel. */
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
