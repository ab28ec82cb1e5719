-- Writes what a bridge has counted of one period, in place of what it wrote of that before.
--
-- ARGV[4]   a bridge that has not called for so long is lost, ms
-- ARGV[5]   the window and the layout of the bridge: ' (window 600000 ms, layout 6)'
-- ARGV[6]   number of this call, which grows
-- ARGV[7]   all that the bridge had judged by this time is written with this call; 0 for nothing new
-- ARGV[8]   '1' where the bridge leaves
-- ARGV[9]   length of a period, ms
-- ARGV[10]  most messages that the bridge counts between two calls
-- ARGV[11]  the streams by which all these counts are
-- ARGV[12]  period; -1 for none
-- ARGV[13]  epoch in which it was counted
-- ARGV[14]  how much of that no call has written yet, as far as the bridge knows
-- ARGV[15]  messages of about that time that the bridge did not count
-- ARGV[16]  what it counted, as Summary says
--
-- {token and set of streams, now, when these began, last settled period or -1, oldest other period or
--   -1, all living bridges have written what they had judged by this time, the streams by which counts
--   are to be}

local agreed = redis.call('GET', prefix .. 'streams')
local streams = table.concat(merged_streams(slots_of(agreed)), ',')
local tallied, periods = prefix .. 'tallied', prefix .. 'periods'
local settled = tonumber(redis.call('GET', prefix .. 'settled') or '-1')
local present = math.floor(now / tonumber(ARGV[9]))

-- A bridge of another window or layout, which advance refuses, counts nothing, and may have other periods.
-- What it passed is a doubt of the others' newest one, and it settles none of theirs.
local refused = agreed and string.sub(agreed, -#ARGV[5]) ~= ARGV[5]
if refused then
  present = tonumber(redis.call('ZRANGE', periods, -1, -1)[1] or settled + 1)
end

local function hash_of(period)
  local name = string.format('%.0f', period)
  redis.call('ZADD', periods, name, name)
  return prefix .. 'period:' .. name
end

local function doubt(period, messages)
  if messages > 0 then
    redis.call('HINCRBY', hash_of(math.max(period, settled + 1)), '?',
      string.format('%.0f', messages))
  end
end

-- What lost bridges had counted and not written is not known, but how much it may be.
local until_all = math.huge
local others = redis.call('HGETALL', tallied)
local last_call, known_until = -1, 0
for i = 1, #others, 2 do
  local called, until_then, number, volume = string.match(others[i + 1], '^(%d+) (%d+) (%d+) (%d+)$')
  if others[i] == bridge then
    last_call, known_until = tonumber(number), tonumber(until_then)
  elseif now - called > tonumber(ARGV[4]) then
    redis.call('HDEL', tallied, others[i])
    doubt(present, 2 * volume)
  else
    until_all = math.min(until_all, tonumber(until_then))
  end
end

-- A revoked message is counted again, as if it were another one. Of many revocations, some are left for the
-- next calls.
local revocations = prefix .. 'revocations'
local doubted = redis.call('GET', prefix .. 'revoked') or '0'
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', revocations, '(' .. doubted, '+inf', 'LIMIT', 0, 100)) do
  local number, digests = string.match(entry, '^(%d+) %d+ %d+ ()')
  doubt(present, (#entry - digests + 1) / 16)
  redis.call('SET', prefix .. 'revoked', number)
end

-- A call that timed out may be executed after a later one, which knew more.
if tonumber(ARGV[6]) > last_call then
  known_until = math.max(known_until, tonumber(ARGV[7]))
  if ARGV[8] == '1' then
    redis.call('HDEL', tallied, bridge)
  else
    redis.call('HSET', tallied, bridge,
      string.format('%.0f %.0f %s %s', now, known_until, ARGV[6], ARGV[10]))
  end
  local period, unwritten = tonumber(ARGV[12]), tonumber(ARGV[14])
  if period >= 0 and (refused or period <= settled) then
    -- Too late: it was settled without these. Where an answer is lost they are doubted twice, and a
    -- doubt may be too high.
    doubt(refused and present or settled + 1, unwritten)
  elseif period >= 0 then
    if ARGV[15] ~= '0' then
      redis.call('HSET', hash_of(period), '?' .. bridge, ARGV[15])
    end
    if ARGV[13] == token and ARGV[11] == streams then
      redis.call('HSET', hash_of(period), '=' .. bridge, ARGV[16])
    end
  end
end
if ARGV[8] ~= '1' then
  until_all = math.min(until_all, known_until)
end

local function number(value)
  return string.format('%.0f', value)
end
if until_all == math.huge then
  until_all = now
end
local since = redis.call('GET', prefix .. 'since') or number(now)
return {
  token .. '.' .. since,
  number(now),
  since,
  number(settled),
  not refused and redis.call('ZRANGE', periods, 0, 0)[1] or '-1',
  number(until_all),
  streams,
}
