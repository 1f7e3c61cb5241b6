import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import type { DirectoryAct } from '@weir/shared/people/directories';
import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Call, Identity } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import { NO_ADMIN_ACT, WRITTEN, type AuditReceipt } from './audit-receipt.ts';

export interface AuditedChange {
  /** The kind of the changed object: `group`, `account`. */
  readonly kind: string;
  readonly id: string;
  /** The view before and after; null when there was none. Never anything secret. */
  readonly before: object | null;
  readonly after: object | null;
}

/** The person who acted; without id and address a visitor who holds a link. */
export type Actor = Pick<Identity, 'role' | 'sessionId' | 'accessToken'> & {
  /** The account in which they acted; null for a visitor to none. */
  readonly accountId: string | null;
  readonly userId: string | null;
  readonly email: string | null;
  /** The identity provider by which a person without a session acted. */
  readonly provider?: string;
  /** The identity provider whose directory acted. */
  readonly directory?: string;
};

/** The request's details in an entry. */
export type AuditedCall = Pick<Call, 'address' | 'requestId'> & {
  readonly route: Call['route'] | DirectoryAct;
  readonly caller: Actor;
};

function meansOf({ sessionId, accessToken, provider, directory }: Actor): string {
  if (directory !== undefined) return `SCIM: ${directory}`;
  if (provider !== undefined) return `sign-on: ${provider}`;
  if (accessToken !== null) return `access token: ${accessToken.name}`;
  return sessionId === null ? 'link' : 'session';
}

/** Names and errors that were stored before such texts were refused may have a key in them. */
function jsonOf(view: object | null): string | null {
  return view === null ? null : redactSecrets(JSON.stringify(view));
}

const INSERT = `
  insert into audit_entries
    (user_id, user_email, by, address, request_id, action, subject_kind, subject_id, before, after,
     account_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

function isAdminRoute(route: AuditedCall['route']): route is Call['route'] {
  return Object.hasOwn(ADMIN_ROUTES, route);
}

/** An operator acts in no account, although the session has one. */
function accountOf({ caller, route }: AuditedCall): string | null {
  const isOperator = isAdminRoute(route) && ADMIN_ROUTES[route].caller === 'admin';
  return isOperator ? null : caller.accountId;
}

/** Writes one act, in the transaction that does it: an act without its entry cannot be. */
export function audit(
  db: Database,
  call: AuditedCall,
  change: AuditedChange,
): Promise<AuditReceipt> {
  return write(db, { call, change, accountId: accountOf(call) });
}

async function write(
  db: Database,
  {
    call,
    change,
    accountId,
  }: {
    readonly call: AuditedCall;
    readonly change: AuditedChange;
    readonly accountId: string | null;
  },
): Promise<AuditReceipt> {
  const { caller } = call;
  await db.query(INSERT, [
    caller.userId,
    caller.email,
    meansOf(caller),
    call.address,
    call.requestId,
    call.route,
    change.kind,
    change.id,
    jsonOf(change.before),
    jsonOf(change.after),
    accountId,
  ]);
  return WRITTEN;
}

/**
 * Writes an act in an account that the session only acts in from now on, or no longer; or what an
 * operator does there that its members are to know of.
 */
export function auditIn(
  accountId: string,
  db: Database,
  { call, change }: { readonly call: AuditedCall; readonly change: AuditedChange },
): Promise<AuditReceipt> {
  return write(db, { call, change, accountId });
}

/**
 * Writes what administrators and supporters do with their own credentials; what other users do with
 * theirs is no admin act.
 */
export async function auditOwn(
  db: Database,
  call: AuditedCall,
  change: AuditedChange,
): Promise<AuditReceipt> {
  return call.caller.role === 'user' ? NO_ADMIN_ACT : audit(db, call, change);
}
