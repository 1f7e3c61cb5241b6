import type { OPERATION_ROUTES } from '@weir/shared/api/admin-routes/operation';
import type { SearchResults } from '@weir/shared/api/search';
import type { Call, HandlersOf } from '../api/call.ts';
import { findHits } from './find-hits.ts';

export const searchHandlers: HandlersOf<Pick<typeof OPERATION_ROUTES, 'search'>> = { search };

async function search({ context, caller, body }: Call<'search'>): Promise<SearchResults> {
  const { pool, secrets } = context;
  return { data: await findHits(pool, { text: body.text, secrets, caller }) };
}
