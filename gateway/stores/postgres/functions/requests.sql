-- Upper bounds of the histogram of times to the first token, milliseconds; shared/operations.ts has
-- the same ones. A bound that changes would change the meaning of sums that are written.
create or replace function first_byte_bucket(ms integer) returns integer
language sql immutable as $$
  select width_bucket(ms, array[50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000,
    10000, 15000, 20000, 30000, 60000]);
$$;

-- Upper bounds of the histogram of whole durations, milliseconds; shared/operations.ts has the same
-- ones. Those of first tokens and, as whole replies take longer, some more.
create or replace function duration_bucket(ms integer) returns integer
language sql immutable as $$
  select width_bucket(ms, array[50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000,
    10000, 15000, 20000, 30000, 60000, 90000, 120000, 180000, 300000, 600000]);
$$;

create or replace function add_counts(a bigint[], b bigint[]) returns bigint[]
language sql immutable as $$
  select array_agg(coalesce(x, 0) + coalesce(y, 0) order by i) from unnest(a, b) with ordinality as t(x, y, i);
$$;

-- Enters a batch of the request log, each request once, and the sums that follow from it. Returns how
-- many rows were new; an entry that exists changes nothing, so a batch may be sent again.
--
-- An entry is what gateway/request-history/ writes: the members of the log line and a few more.
-- `count` is there when it stands for several requests of a flood, with their summed tokens and cost
-- and their mean times.
create or replace function enter_requests(entries json) returns integer
language plpgsql as $$
declare
  inserted integer;
begin
  with incoming as materialized (
    select * from json_to_recordset(entries) as i(
      "requestId" uuid, at bigint, "accountId" uuid, "keyId" uuid, "groupId" uuid, "keyPrefix" text, model text, protocol text,
      "channelId" uuid, status text, "httpStatus" smallint, refused text, message text, stream boolean, attempts smallint,
      "latencyMs" integer, "firstByteMs" integer, "inputTokens" bigint, "outputTokens" bigint, "costNanoUsd" bigint,
      address text, count integer, failures json, place text, phases integer[])
  ), added as (
    insert into requests (request_id, created_at, account_id, key_id, group_id, key_prefix, model, protocol, channel_id, status,
      http_status, code, message, stream, attempts, duration_ms, first_byte_ms, input_tokens, output_tokens, cost_nano_usd,
      client_address, requests, place, hold_from_ms, held_ms, attempt_from_ms, settle_from_ms)
    select "requestId", from_ms(at), "accountId", "keyId", "groupId", "keyPrefix", model, protocol, "channelId", status,
      "httpStatus",
      -- Without a refusal only a client that has left gets no reply.
      coalesce(refused, case status when 'completed' then null when 'failed' then 'client_disconnected' else status end),
      message, stream, attempts, "latencyMs", "firstByteMs", "inputTokens", "outputTokens", "costNanoUsd", address,
      coalesce(count, 1), place, phases[1], phases[2], phases[3], phases[4]
    from incoming
    on conflict do nothing
    returning request_id, created_at, account_id, key_id, group_id, model, channel_id, code, stream, duration_ms, first_byte_ms,
      input_tokens, output_tokens, cost_nano_usd, requests
  ), failed as (
    insert into request_attempts (request_id, created_at, number, channel_id, upstream_status, failure, message, started_ms,
      duration_ms, account_id, key_id, model, code, place)
    select a.request_id, a.created_at, f.number, f."channelId", f."upstreamStatus", f.failure, f.message, f."startedMs",
      f."durationMs", a.account_id, a.key_id, a.model, a.code, f.place
    from added a join incoming i on i."requestId" = a.request_id
    cross join lateral json_to_recordset(i.failures) as f(
      number smallint, "channelId" uuid, "upstreamStatus" smallint, failure text, message text, "startedMs" integer,
      "durationMs" integer, place text)
    where i.failures is not null
    on conflict do nothing
    returning request_id, channel_id
  ), bucketed as materialized (
    select a.*, first_byte_bucket(first_byte_ms) as bucket, duration_bucket(duration_ms) as duration_bucket from added a
  ), alike as materialized (
    -- A batch has few kinds of requests: what follows is done for each of them, not for each entry.
    select date_bin('1 hour', created_at, 'epoch') as hour, account_id, key_id, model, channel_id, group_id,
      coalesce(code, '') as code, sum(requests) as requests, 0 as failed_attempts,
      coalesce(sum(input_tokens), 0) as input_tokens, coalesce(sum(output_tokens), 0) as output_tokens,
      sum(cost_nano_usd) as cost_nano_usd, sum(duration_ms::bigint * requests) as duration_ms,
      coalesce(sum(output_tokens) filter (where stream and first_byte_ms is not null), 0) as streamed_tokens,
      coalesce(sum(greatest(duration_ms - first_byte_ms, 0)::bigint * requests)
        filter (where stream and first_byte_ms is not null and output_tokens > 0), 0) as streamed_ms,
      array[
        sum(requests) filter (where bucket = 0), sum(requests) filter (where bucket = 1), sum(requests) filter (where bucket = 2),
        sum(requests) filter (where bucket = 3), sum(requests) filter (where bucket = 4), sum(requests) filter (where bucket = 5),
        sum(requests) filter (where bucket = 6), sum(requests) filter (where bucket = 7), sum(requests) filter (where bucket = 8),
        sum(requests) filter (where bucket = 9), sum(requests) filter (where bucket = 10), sum(requests) filter (where bucket = 11),
        sum(requests) filter (where bucket = 12), sum(requests) filter (where bucket = 13), sum(requests) filter (where bucket = 14),
        sum(requests) filter (where bucket = 15), sum(requests) filter (where bucket = 16), sum(requests) filter (where bucket = 17),
        sum(requests) filter (where bucket = 18), sum(requests) filter (where bucket = 19), sum(requests) filter (where bucket = 20)
      ] as first_bytes, array[
        sum(requests) filter (where duration_bucket = 0), sum(requests) filter (where duration_bucket = 1),
        sum(requests) filter (where duration_bucket = 2), sum(requests) filter (where duration_bucket = 3),
        sum(requests) filter (where duration_bucket = 4), sum(requests) filter (where duration_bucket = 5),
        sum(requests) filter (where duration_bucket = 6), sum(requests) filter (where duration_bucket = 7),
        sum(requests) filter (where duration_bucket = 8), sum(requests) filter (where duration_bucket = 9),
        sum(requests) filter (where duration_bucket = 10), sum(requests) filter (where duration_bucket = 11),
        sum(requests) filter (where duration_bucket = 12), sum(requests) filter (where duration_bucket = 13),
        sum(requests) filter (where duration_bucket = 14), sum(requests) filter (where duration_bucket = 15),
        sum(requests) filter (where duration_bucket = 16), sum(requests) filter (where duration_bucket = 17),
        sum(requests) filter (where duration_bucket = 18), sum(requests) filter (where duration_bucket = 19),
        sum(requests) filter (where duration_bucket = 20), sum(requests) filter (where duration_bucket = 21),
        sum(requests) filter (where duration_bucket = 22), sum(requests) filter (where duration_bucket = 23),
        sum(requests) filter (where duration_bucket = 24), sum(requests) filter (where duration_bucket = 25)
      ] as durations
    from bucketed group by 1, 2, 3, 4, 5, 6, 7
    union all
    -- Of channels, not of accounts.
    select date_bin('1 hour', a.created_at, 'epoch'), null, null, a.model, f.channel_id, a.group_id, '', 0, sum(a.requests),
      0, 0, 0, 0, 0, 0, null, null
    from failed f join added a using (request_id) group by 1, 4, 5, 6
  ), counted as materialized (
    select k.*, g.grain, g.starts_at,
      -- Else anybody could make as many sums as he knows words.
      case when exists (select from models m where m.public_id = k.model) then k.model else '' end as sum_model
    from alike k cross join lateral (values ('hour', k.hour), ('day', date_trunc('day', k.hour, 'UTC'))) as g(grain, starts_at)
  ), by_model as (
    insert into request_sums as r (grain, starts_at, model, channel_id, group_id, code, requests, failed_attempts, input_tokens,
      output_tokens, cost_nano_usd, duration_ms, streamed_tokens, streamed_ms, first_bytes, durations)
    select grain, starts_at, sum_model, channel_id, group_id, code, sum(requests), sum(failed_attempts), sum(input_tokens),
      sum(output_tokens), sum(cost_nano_usd), sum(duration_ms), sum(streamed_tokens), sum(streamed_ms), array[
        sum(first_bytes[1]), sum(first_bytes[2]), sum(first_bytes[3]), sum(first_bytes[4]), sum(first_bytes[5]), sum(first_bytes[6]), sum(first_bytes[7]),
        sum(first_bytes[8]), sum(first_bytes[9]), sum(first_bytes[10]), sum(first_bytes[11]), sum(first_bytes[12]), sum(first_bytes[13]), sum(first_bytes[14]),
        sum(first_bytes[15]), sum(first_bytes[16]), sum(first_bytes[17]), sum(first_bytes[18]), sum(first_bytes[19]), sum(first_bytes[20]), sum(first_bytes[21])
      ]::bigint[], array[
        sum(durations[1]), sum(durations[2]), sum(durations[3]), sum(durations[4]), sum(durations[5]), sum(durations[6]), sum(durations[7]),
        sum(durations[8]), sum(durations[9]), sum(durations[10]), sum(durations[11]), sum(durations[12]), sum(durations[13]), sum(durations[14]),
        sum(durations[15]), sum(durations[16]), sum(durations[17]), sum(durations[18]), sum(durations[19]), sum(durations[20]), sum(durations[21]),
        sum(durations[22]), sum(durations[23]), sum(durations[24]), sum(durations[25]), sum(durations[26])
      ]::bigint[]
    from counted group by 1, 2, 3, 4, 5, 6
    -- In one order, so that gateways wait for each other instead of deadlocking.
    order by 1, 2, 3, 4, 5, 6
    on conflict (grain, starts_at, model, channel_id, group_id, code) do update set
      requests = r.requests + excluded.requests,
      failed_attempts = r.failed_attempts + excluded.failed_attempts,
      input_tokens = r.input_tokens + excluded.input_tokens,
      output_tokens = r.output_tokens + excluded.output_tokens,
      cost_nano_usd = r.cost_nano_usd + excluded.cost_nano_usd,
      duration_ms = r.duration_ms + excluded.duration_ms,
      streamed_tokens = r.streamed_tokens + excluded.streamed_tokens,
      streamed_ms = r.streamed_ms + excluded.streamed_ms,
      first_bytes = add_counts(r.first_bytes, excluded.first_bytes),
      durations = add_counts(r.durations, excluded.durations)
  ), by_account as (
    insert into request_account_sums as r (grain, starts_at, account_id, code, requests, input_tokens,
      output_tokens, cost_nano_usd, duration_ms, streamed_tokens, streamed_ms, first_bytes, durations)
    select grain, starts_at, account_id, code, sum(requests), sum(input_tokens), sum(output_tokens),
      sum(cost_nano_usd), sum(duration_ms), sum(streamed_tokens), sum(streamed_ms), array[
        sum(first_bytes[1]), sum(first_bytes[2]), sum(first_bytes[3]), sum(first_bytes[4]), sum(first_bytes[5]), sum(first_bytes[6]), sum(first_bytes[7]),
        sum(first_bytes[8]), sum(first_bytes[9]), sum(first_bytes[10]), sum(first_bytes[11]), sum(first_bytes[12]), sum(first_bytes[13]), sum(first_bytes[14]),
        sum(first_bytes[15]), sum(first_bytes[16]), sum(first_bytes[17]), sum(first_bytes[18]), sum(first_bytes[19]), sum(first_bytes[20]), sum(first_bytes[21])
      ]::bigint[], array[
        sum(durations[1]), sum(durations[2]), sum(durations[3]), sum(durations[4]), sum(durations[5]), sum(durations[6]), sum(durations[7]),
        sum(durations[8]), sum(durations[9]), sum(durations[10]), sum(durations[11]), sum(durations[12]), sum(durations[13]), sum(durations[14]),
        sum(durations[15]), sum(durations[16]), sum(durations[17]), sum(durations[18]), sum(durations[19]), sum(durations[20]), sum(durations[21]),
        sum(durations[22]), sum(durations[23]), sum(durations[24]), sum(durations[25]), sum(durations[26])
      ]::bigint[]
    from counted where account_id is not null group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (grain, starts_at, account_id, code) do update set
      requests = r.requests + excluded.requests,
      input_tokens = r.input_tokens + excluded.input_tokens,
      output_tokens = r.output_tokens + excluded.output_tokens,
      cost_nano_usd = r.cost_nano_usd + excluded.cost_nano_usd,
      duration_ms = r.duration_ms + excluded.duration_ms,
      streamed_tokens = r.streamed_tokens + excluded.streamed_tokens,
      streamed_ms = r.streamed_ms + excluded.streamed_ms,
      first_bytes = add_counts(r.first_bytes, excluded.first_bytes),
      durations = add_counts(r.durations, excluded.durations)
  ), by_key as (
    insert into request_key_sums as r (grain, starts_at, key_id, code, requests, input_tokens,
      output_tokens, cost_nano_usd, duration_ms, streamed_tokens, streamed_ms, first_bytes, durations)
    select grain, starts_at, key_id, code, sum(requests), sum(input_tokens), sum(output_tokens),
      sum(cost_nano_usd), sum(duration_ms), sum(streamed_tokens), sum(streamed_ms), array[
        sum(first_bytes[1]), sum(first_bytes[2]), sum(first_bytes[3]), sum(first_bytes[4]), sum(first_bytes[5]), sum(first_bytes[6]), sum(first_bytes[7]),
        sum(first_bytes[8]), sum(first_bytes[9]), sum(first_bytes[10]), sum(first_bytes[11]), sum(first_bytes[12]), sum(first_bytes[13]), sum(first_bytes[14]),
        sum(first_bytes[15]), sum(first_bytes[16]), sum(first_bytes[17]), sum(first_bytes[18]), sum(first_bytes[19]), sum(first_bytes[20]), sum(first_bytes[21])
      ]::bigint[], array[
        sum(durations[1]), sum(durations[2]), sum(durations[3]), sum(durations[4]), sum(durations[5]), sum(durations[6]), sum(durations[7]),
        sum(durations[8]), sum(durations[9]), sum(durations[10]), sum(durations[11]), sum(durations[12]), sum(durations[13]), sum(durations[14]),
        sum(durations[15]), sum(durations[16]), sum(durations[17]), sum(durations[18]), sum(durations[19]), sum(durations[20]), sum(durations[21]),
        sum(durations[22]), sum(durations[23]), sum(durations[24]), sum(durations[25]), sum(durations[26])
      ]::bigint[]
    from counted where key_id is not null group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (grain, starts_at, key_id, code) do update set
      requests = r.requests + excluded.requests,
      input_tokens = r.input_tokens + excluded.input_tokens,
      output_tokens = r.output_tokens + excluded.output_tokens,
      cost_nano_usd = r.cost_nano_usd + excluded.cost_nano_usd,
      duration_ms = r.duration_ms + excluded.duration_ms,
      streamed_tokens = r.streamed_tokens + excluded.streamed_tokens,
      streamed_ms = r.streamed_ms + excluded.streamed_ms,
      first_bytes = add_counts(r.first_bytes, excluded.first_bytes),
      durations = add_counts(r.durations, excluded.durations)
  )
  select count(*) into inserted from added;
  return inserted;
end
$$;
