/**
 * The request log of an installation in its second month: a request for each usage record, some of
 * which went to a second channel, others that were refused or failed, and a flood of guessed keys.
 */
export const REQUEST_HISTORY = `
with seen as (
  select u.*, random() as luck, row_number() over (order by u.created_at desc) as place,
    (select id from channels c where c.id <> u.channel_id order by md5(c.id::text || u.model) limit 1) as other_id
  from usage_records u
),
ended as (
  select *, case when luck > 0.985 then 'upstream_error' when luck > 0.97 then 'rate_limit_exceeded'
    when luck > 0.965 then 'insufficient_balance' when luck > 0.96 then 'upstream_timeout' end as refused,
    luck > 0.985 or luck between 0.93 and 0.965 as at_two
  from seen
),
entries as (
  select json_build_object(
    'requestId', (lpad(to_hex(to_ms(created_at)), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
    'at', to_ms(created_at), 'accountId', account_id, 'keyId', key_id, 'groupId', group_id,
    'keyPrefix', (select prefix from keys where id = key_id), 'model', model,
    'protocol', case when model like 'claude%' then 'anthropic-messages' else 'openai-chat' end, 'stream', stream,
    'channelId', case when luck between 0.965 and 0.985 then null else channel_id end,
    'status', case when refused is null then status else 'failed' end,
    'httpStatus', case refused when 'upstream_error' then 502 when 'upstream_timeout' then 504 when 'rate_limit_exceeded' then 429
      when 'insufficient_balance' then 402 else 200 end,
    'refused', refused,
    'message', case refused when 'upstream_error' then 'The upstream that serves this model failed. Nothing was charged; try again.'
      when 'rate_limit_exceeded' then 'The API key may send 600 requests a minute. Wait 12 seconds.'
      when 'insufficient_balance' then 'The balance does not cover this request. Add money on the Billing page.'
      when 'upstream_timeout' then 'The upstream that serves this model did not answer in time.' end,
    'attempts', case when luck between 0.965 and 0.985 then 0 when at_two then 2 else 1 end,
    'latencyMs', case when refused like '%limit%' then 4 else latency_ms end,
    'firstByteMs', case when refused is null then first_byte_ms end,
    'inputTokens', case when refused is null then input_tokens end,
    'outputTokens', case when refused is null then output_tokens end,
    'costNanoUsd', case when refused is null then cost_nano_usd else 0 end,
    'phases', case when luck between 0.965 and 0.985 then json_build_array(1, 3, null, null)
      else json_build_array(2, 5, case when at_two then 421 else 6 end, greatest(latency_ms - 5, 430)) end,
    'failures', case when at_two then json_build_array(json_build_object(
        'number', 1, 'channelId', other_id, 'upstreamStatus', 502, 'startedMs', 6, 'durationMs', 412,
        'message', 'CUDA out of memory. Tried to allocate 2.50 GiB (GPU 3; 79.10 GiB total capacity)')) end) as entry
  from ended
  union all
  select json_build_object(
    'requestId', (lpad(to_hex(to_ms(now()) - n * 60000), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
    'at', to_ms(now()) - n * 60000, 'keyPrefix', case when n > 1 then 'sk-aaaaaa' end, 'stream', false, 'status', 'failed',
    'protocol', 'openai-chat', 'httpStatus', 401, 'refused', 'invalid_api_key', 'message', 'No such API key.', 'attempts', 0,
    'latencyMs', 1, 'costNanoUsd', 0, 'address', case when n > 1 then '203.0.113.77' end,
    'count', case when n = 1 then 4312 end)
  from generate_series(1, 3) n
)
select enter_requests(json_agg(entry)) from entries`;
