import type { TrafficView } from '@weir/shared/watch/operations';
import type { ApiPort } from '../core/api/call-input';
import type { RequestRow } from '../requests/requests-state';

const FAILURES = 6;

/** Reads the figures and failures of an object. */
export interface ObjectSource {
  readonly traffic: (from: string) => Promise<TrafficView>;
  readonly failures: () => Promise<readonly RequestRow[]>;
  /** The list that has all of its requests. */
  readonly requests: { readonly path: string; readonly query: Readonly<Record<string, string>> };
}

/** An object, as queries of the API name it. */
type ObjectFilter =
  | { readonly accountId: string }
  | { readonly channelId: string }
  | { readonly keyId: string }
  | { readonly model: string };

/** The same name in the address of the list of requests. */
const PARAMETERS = { accountId: 'account', channelId: 'channel', keyId: 'key', model: 'model' };

/** Any object, for operators. */
export function operatorSource(api: ApiPort, filter: ObjectFilter): ObjectSource {
  const query = Object.fromEntries(
    Object.entries(filter).map(([name, value]: [string, string]) => [
      PARAMETERS[name as keyof typeof PARAMETERS],
      value,
    ]),
  );
  return {
    traffic: (from) => api.call('getTraffic', { query: { ...filter, from } }),
    failures: async () => {
      const failed = { ...filter, outcome: 'failed', limit: FAILURES } as const;
      return (await api.call('listRequests', { query: failed })).data;
    },
    requests: { path: '/admin/requests', query },
  };
}

/** A key of the own account. */
export function ownKeySource(api: ApiPort, keyId: string): ObjectSource {
  return {
    traffic: (from) => api.call('getOwnTraffic', { query: { keyId, from } }),
    failures: async () => {
      const failed = { keyId, outcome: 'failed', limit: FAILURES } as const;
      return (await api.call('listOwnRequests', { query: failed })).data;
    },
    requests: { path: '/requests', query: { key: keyId } },
  };
}
