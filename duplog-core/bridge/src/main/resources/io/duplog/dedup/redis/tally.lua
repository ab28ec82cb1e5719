-- Adds what a bridge has counted of one period, once.
--
-- ARGV[4]   a bridge that has not called for so long is lost, ms
-- ARGV[5]   epoch in which it was counted
-- ARGV[6]   number of this call
-- ARGV[7]   all that the bridge had judged by this time is added with this call; 0 for nothing new
-- ARGV[8]   '1' where the bridge leaves
-- ARGV[9]   length of a period, ms
-- ARGV[10]  most senders of a period
-- ARGV[11]  most messages that the bridge adds between two calls
-- ARGV[12]  period; -1 for none
-- ARGV[13]  '1' where the period is to take no other senders from now on
-- ARGV[14]  '1' to be told its senders where it takes no others
-- ARGV[15]  messages of about that time that were not counted
-- ARGV[16]  totals; '' for none
-- ARGV[17]  the streams by which all these counts are
-- then      for each sender: its name, its counts
--
-- {token and set of streams, now, when these began, last settled period or -1, oldest other period or
--   -1, all living bridges have added what they had judged by this time, '1' where closed, {senders},
--   the streams by which counts are to be}

local agreed = redis.call('GET', prefix .. 'streams')
local streams = table.concat(merged_streams(slots_of(agreed)), ',')
local counted_in = string.match(ARGV[5], '^[^.]*')
local tallied, periods = prefix .. 'tallied', prefix .. 'periods'
local settled = tonumber(redis.call('GET', prefix .. 'settled') or '-1')
local present = math.floor(now / tonumber(ARGV[9]))
local period = tonumber(ARGV[12])

-- A bridge of another window, which advance refuses, has other periods. What it passed is a doubt of the
-- others' newest one, and it settles none of theirs.
local refused = agreed and not string.find(agreed, '(window ' .. window .. ' ms,', 1, true)
if refused then
  present = tonumber(redis.call('ZRANGE', periods, -1, -1)[1] or settled + 1)
  period = period >= 0 and present or -1
end

local function plus(known, added)
  if not known or known == '' then
    return added
  end
  local sum, more = {}, string.gmatch(added, '%d+')
  for number in string.gmatch(known, '%d+') do
    sum[#sum + 1] = string.format('%.0f', number + (more() or 0))
  end
  return table.concat(sum, ' ')
end

-- The regular senders have their place in a period before anybody else.
local function hash_of(period)
  local name = string.format('%.0f', period)
  local hash = prefix .. 'period:' .. name
  if redis.call('ZADD', periods, name, name) == 1 then
    for _, sender in ipairs(redis.call('SMEMBERS', prefix .. 'regulars')) do
      redis.call('HSET', hash, ':' .. sender, '')
      redis.call('HINCRBY', hash, 'n', 1)
    end
  end
  return hash
end

local function doubt(period, messages)
  if messages > 0 then
    redis.call('HINCRBY', hash_of(math.max(period, settled + 1)), '?',
      string.format('%.0f', messages))
  end
end

-- What lost bridges had counted and not added is not known, but how much it may be.
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

known_until = math.max(known_until, tonumber(ARGV[7]))
if ARGV[8] == '1' then
  redis.call('HDEL', tallied, bridge)
else
  redis.call('HSET', tallied, bridge,
    string.format('%.0f %.0f %s %s', now, known_until, ARGV[6], ARGV[11]))
  until_all = math.min(until_all, known_until)
end

local closed, names = false, {}
local fresh = tonumber(ARGV[6]) > last_call
if fresh and period >= 0 then
  doubt(period, tonumber(ARGV[15]))
end
if period >= 0 and period <= settled then
  -- Too late: it was settled without these.
  if fresh and counted_in == token then
    doubt(present, tonumber(string.match(ARGV[16], '^%d+') or '0'))
  end
elseif period >= 0 and counted_in == token and ARGV[17] == streams and not refused then
  local hash = hash_of(period)
  closed = redis.call('HEXISTS', hash, 'x') == 1
  if fresh then
    if ARGV[16] ~= '' then
      redis.call('HSET', hash, 't', plus(redis.call('HGET', hash, 't'), ARGV[16]))
    end
    local room = tonumber(ARGV[10]) - tonumber(redis.call('HGET', hash, 'n') or '0')
    local taken = 0
    for i = 18, #ARGV, 2 do
      local field = ':' .. ARGV[i]
      local known = redis.call('HGET', hash, field)
      if not known and not closed then
        closed = taken >= room
        taken = closed and taken or taken + 1
      end
      if known or not closed then
        redis.call('HSET', hash, field, plus(known, ARGV[i + 1]))
      end
    end
    if taken > 0 then
      redis.call('HINCRBY', hash, 'n', taken)
    end
    closed = closed or ARGV[13] == '1'
    if closed then
      redis.call('HSET', hash, 'x', '1')
    end
  end
  if closed and ARGV[14] == '1' then
    for _, field in ipairs(redis.call('HKEYS', hash)) do
      if string.sub(field, 1, 1) == ':' then
        names[#names + 1] = string.sub(field, 2)
      end
    end
  end
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
  closed and '1' or '0',
  names,
  streams,
}
