import type { AlertTargetView } from '@weir/shared/watch/alerts';
import type { Database } from '../../api/transaction.ts';

export interface TargetRow {
  readonly id: string;
  readonly name: string;
  readonly kind: AlertTargetView['kind'];
  /** Except for mail only the origin: the rest of the address is sealed. */
  readonly address: string;
  readonly chatId: string | null;
  readonly language: AlertTargetView['language'];
  readonly sealed: string | null;
  readonly allowPrivate: boolean;
  readonly status: AlertTargetView['status'];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT = `
  select id, name, kind, address, chat_id as "chatId", language, sealed, allow_private as "allowPrivate", status, created_at as "createdAt",
    updated_at as "updatedAt"
  from alert_targets`;

export async function readTargets(db: Database): Promise<TargetRow[]> {
  return (await db.query<TargetRow>(`${SELECT} order by name, id`)).rows;
}

export async function findTarget(
  db: Database,
  targetId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<TargetRow | undefined> {
  const { rows } = await db.query<TargetRow>(
    `${SELECT} where id = $1 ${options.lock ? 'for update' : ''}`,
    [targetId],
  );
  return rows[0];
}

export function targetView(row: TargetRow): AlertTargetView {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    address: row.address,
    chatId: row.chatId,
    language: row.language,
    allowPrivate: row.allowPrivate,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
