import type { AdminContext } from '../../api/context.ts';
import type { ProviderRow } from '../../sign-on/providers/provider-row.ts';
import type { Selection } from './select-attributes.ts';
import type { ScimQuery } from '../resources/resource-page.ts';

/** One request of a directory, which its token has identified. */
export interface ScimCall {
  readonly context: AdminContext;
  readonly provider: ProviderRow;
  /** The client's address, behind trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** The address of the SCIM service, without a trailing slash. */
  readonly root: string;
  readonly query: ScimQuery;
  readonly selection: Selection;
  readonly body: unknown;
  /** The id in the path; empty in requests to a list. */
  readonly id: string;
}

/** A resource, or nothing for 204. */
export type ScimReply = object | undefined;
export type ScimHandler = (call: ScimCall) => Promise<ScimReply>;
