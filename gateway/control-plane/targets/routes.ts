import type { TARGET_ROUTES } from '@weir/shared/api/admin-routes/targets';
import { refuse } from '../../platform/errors/refusal.ts';
import { listProfiles } from '../../providers/profiles/profile-of.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findChannel } from '../channels/channel-row.ts';
import {
  findLearnedRefusal,
  learnedRefusalView,
  readLearnedRefusals,
} from './learned-refusal-row.ts';
import { targetViews } from './target-view.ts';

export const targetHandlers: HandlersOf<typeof TARGET_ROUTES> = {
  listTargetProfiles: () => {
    const { vendors, families } = listProfiles();
    return Promise.resolve({ vendors: [...vendors], families: [...families] });
  },
  listTargets: async ({ context: { pool }, params: { channelId } }) => {
    const channel = await findChannel(pool, channelId);
    if (channel === undefined) return refuse('not_found', 'There is no such channel.');
    return { data: targetViews(channel, await readLearnedRefusals(pool, channelId)) };
  },
  updateLearnedRefusal,
  deleteLearnedRefusal,
};

const NO_REFUSAL = refuse(
  'not_found',
  'The channel has learned no such refusal, or has forgotten it meanwhile.',
);

/** Keeps a learned refusal without expiry and for all accounts ($2), or lets it expire in a day. */
const KEEP = `
  update learned_refusals
  set expires_at = case when $2 then null else now() + interval '1 day' end,
    account_id = case when $2 then null else account_id end
  where id = $1`;
const FORGET = 'delete from learned_refusals where id = $1';

function updateLearnedRefusal(call: Call<'updateLearnedRefusal'>): Answer<'updateLearnedRefusal'> {
  const { context, params, body } = call;
  return inTransaction(context.pool, async (client) => {
    const row = await findLearnedRefusal(client, params);
    if (row === undefined) return NO_REFUSAL;
    await client.query(KEEP, [row.id, body.kept]);
    const changed = await findLearnedRefusal(client, params);
    if (changed === undefined) return NO_REFUSAL;
    const [before, after] = [learnedRefusalView(row), learnedRefusalView(changed)];
    return {
      view: after,
      audit: await audit(client, call, { kind: 'channel', id: params.channelId, before, after }),
    };
  });
}

function deleteLearnedRefusal(call: Call<'deleteLearnedRefusal'>): Answer<'deleteLearnedRefusal'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const row = await findLearnedRefusal(client, params);
    if (row === undefined) return NO_REFUSAL;
    await client.query(FORGET, [row.id]);
    const before = learnedRefusalView(row);
    const change = { kind: 'channel', id: params.channelId, before, after: null } as const;
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
