-- Renews a lease, takes a bridge's progress, revokes what dead bridges had pending, and reads the
-- horizon.
--
-- ARGV[4]  lease, ms
-- ARGV[5]  the streams that the bridge reads, the window, the layout: 'a,b (window 600000 ms, layout 6)'
-- ARGV[6]  '1' where the bridge has just begun
-- ARGV[7]  answer with the revocations after this number, a mebibyte of them at most
-- ARGV[8]  '1' to list the bridge's own pending batches
-- ARGV[9]  the brokers that the bridge reads, a line for each: '+' where it is connected, '-' where it was, then
--          stream and queue, a space, and the broker's identity
-- ARGV[10] how many batches are done; then for each: id, token ('' where unknown), number
-- then     ids of own batches to revoke
--
-- {'refused', what is agreed on} | {'elsewhere', stream and queue, the other bridge, its broker} | {token, '1' where the lease had lapsed, lowest pending number or
--   '', oldest revocation's number or '', {revocations}, {own pending ids}, what is agreed on, '1' where
--   there are more revocations}

-- A bridge may read some of the streams that are agreed on, or all of them and others, which have a slot
-- from then on. What was removed comes back with a bridge that begins with it, into its old slot: counted in
-- two slots, a stream's repeats would be taken for copies of two streams.
local function grow(agreed, wanted)
  local names, removed = slots_of(agreed)
  local place, read, others, changed = {}, {}, {}, false
  for slot, name in ipairs(names) do
    if removed[slot] and name ~= '-' and now - removed[slot] > 2 * window then
      names[slot], removed[slot], changed = '-', 0, true
    end
    place[names[slot]] = slot
  end
  for name in string.gmatch(wanted, '[^,]+') do
    read[name] = true
    if not place[name] or (removed[place[name]] and ARGV[6] == '1') then
      others[#others + 1] = name
    end
  end
  if #others > 0 then
    for _, name in ipairs(merged_streams(names, removed)) do
      if not read[name] then
        return nil
      end
    end
  end
  for _, name in ipairs(others) do
    local slot = place[name]
    for free = 1, #names + 1 do
      slot = slot or ((names[free] or '-') == '-' and free)
    end
    if slot > 8 then
      return nil
    end
    names[slot], removed[slot], place[name] = name, nil, slot
  end
  return names, removed, #others > 0, changed
end

-- The server's clock may be set. Leases run on time in which bridges ask: between two calls no more than a third
-- of a lease passes, so that no leap revokes a bridge that lives, and none backwards. What was judged in a time
-- that comes once more would then be read as if it were new: it belongs to another epoch.
local lease = tonumber(ARGV[4])
local asked = tonumber(redis.call('GET', prefix .. 'clock') or now)
local passed = now - asked
if passed < -window / generations then
  begin_epoch(math.floor(asked * 2 / window))
  token = string.sub(epoch, #run + 1)
elseif passed < 0 or passed > lease / 3 then
  local moved = passed < 0 and passed or passed - math.floor(lease / 3)
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '(' .. asked, '+inf')) do
    redis.call('ZADD', prefix .. 'leases', 'INCR', moved, name)
  end
end
redis.call('SET', prefix .. 'clock', string.format('%.0f', now))

-- Two deployments that share a prefix would each drop what only the other had. So bridges that live read the same
-- broker for each stream, and have one in common. What bridges counted that nobody needs any more is forgotten where
-- no broker is known: it may be of another deployment. A broker that was rebuilt is known by the others beside it.
local brokers, stated = prefix .. 'sources', ARGV[9]
local stated_before = redis.call('HGET', brokers, bridge) or ''
local function disagreement()
  local reads, first, common, known = {}, nil, false, false
  for _, field in ipairs(redis.call('HKEYS', brokers)) do
    known = known or string.sub(field, 1, 1) == ' '
  end
  for sign, place, id in string.gmatch(stated, '([+-])(%S+) (%S+)') do
    common = common or redis.call('HGET', brokers, ' ' .. place) == id
    if sign == '+' then
      first, reads[place] = first or place, id
    end
  end
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '(' .. now, '+inf')) do
    local theirs = name ~= bridge and redis.call('HGET', brokers, name) or ''
    for sign, place, id in string.gmatch(theirs, '([+-])(%S+) (%S+)') do
      if sign == '+' and reads[place] and reads[place] ~= id then
        return {'elsewhere', place, name, id}
      end
    end
    if theirs ~= '' and first and not common then
      return {'elsewhere', first, name, ''}
    end
  end
  if known and first and not common then
    begin_epoch(half)
    token = string.sub(epoch, #run + 1)
  end
end
if stated ~= stated_before or not lives(bridge) then
  local refusal = disagreement()
  if refusal then
    redis.call('HDEL', brokers, bridge)
    redis.call('HSET', prefix .. 'board', 'refused ' .. bridge, string.format('%.0f ', now) .. stated)
    return refusal
  end
end

local agreed = redis.call('GET', prefix .. 'streams')
if agreed ~= ARGV[5] then
  local wanted, terms = string.match(ARGV[5], '^(%S+)( .*)$')
  local names, removed, grown, changed
  if agreed and string.sub(agreed, -#terms) == terms then
    names, removed, grown, changed = grow(agreed, wanted)
  end
  if agreed and not names then
    -- Counts are by slot, hashes by the window. Others begin when nobody uses the old ones.
    if redis.call('ZCOUNT', prefix .. 'leases', '(' .. now, '+inf') > 0 then
      return {'refused', agreed}
    end
    begin_epoch(half)
    token = string.sub(epoch, #run + 1)
    agreed = nil
  end
  if not agreed then
    names, removed = slots_of(wanted)
  end
  if grown or changed or not agreed then
    agreed = agree_on(names, removed, terms)
  end
  if grown then
    begin_tallies()
  end
end

if stated ~= (redis.call('HGET', brokers, bridge) or '') then
  redis.call('HSET', brokers, bridge, stated)
  for place, id in string.gmatch(stated, '%+(%S+) (%S+)') do
    redis.call('HSET', brokers, ' ' .. place, id)
  end
end

local lapsed = lives(bridge) and '0' or '1'
redis.call('ZADD', prefix .. 'leases', now + lease, bridge)

local function close(id)
  redis.call('HDEL', prefix .. 'open', id)
  redis.call('HDEL', prefix .. 'shown', id)
  redis.call('ZREM', prefix .. 'pending', id)
end

local function newest_revocation()
  local newest = redis.call('ZREVRANGE', prefix .. 'revocations', 0, 0, 'WITHSCORES')
  return newest[2] and tonumber(newest[2]) or 0
end

-- Forgets what a batch had kept, as a whole, and its record, and logs that under a new number: for two
-- windows, since what was dropped on account of it may be remembered for one and a half.
local function revoke(id, number, verdicts)
  local shown, forgotten = redis.call('HGET', prefix .. 'shown', id) or '', {}
  for i = 1, #shown / 16 do
    -- Of bytes: strings compare by the language of the server's surroundings.
    if #verdicts == 1 or string.byte(verdicts, i) < 100 then
      local digest = string.sub(shown, 16 * i - 15, 16 * i)
      forgotten[#forgotten + 1] = digest
    end
  end
  for age = -1, 2 do -- -1: the clock may have been set back
    forget_digests(hash_of('d', age), forgotten)
  end
  close(id)
  local own = string.format('%.0f', redis.call('INCR', prefix .. 'number'))
  redis.call('ZADD', prefix .. 'revocations', own,
    string.format('%s %s %.0f ', own, number, now + 2 * window) .. table.concat(forgotten))
  return #forgotten
end

local done = tonumber(ARGV[10])
local at = 11
for i = 1, done do
  local id, judged_in, judged_number = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  at = at + 3
  local number, owner, verdicts = open_batch(id)
  if number then
    local meant
    if judged_in == '' then
      meant = owner == bridge
    else
      meant = judged_in == token and judged_number == number
    end
    if meant then
      close(id)
      -- A revocation since its judgement may concern its drops, and is not remembered for
      -- ever: then the record must not outlive it. Without a record it would be counted anew.
      if newest_revocation() < tonumber(number) then
        remember_delivered(id, number, verdicts)
      end
    end
  end
end
for i = at, #ARGV do
  local number, owner, verdicts = open_batch(ARGV[i])
  if number and owner == bridge then
    revoke(ARGV[i], number, verdicts)
  end
end

-- Nobody is answered while a script runs, so a dead bridge's batches go a few at a time; its lease
-- stays until none is left.
local most = 20000
if redis.call('ZCOUNT', prefix .. 'leases', '-inf', now) > 0 then
  for _, id in ipairs(redis.call('ZRANGE', prefix .. 'pending', 0, -1)) do
    local number, owner, verdicts = open_batch(id)
    if not number then
      close(id)
    elseif most > 0 and not lives(owner) then
      most = most - revoke(id, number, verdicts)
    end
  end
  if most > 0 then
    for _, name in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', now)) do
      redis.call('HDEL', brokers, name)
    end
    redis.call('ZREMRANGEBYSCORE', prefix .. 'leases', '-inf', now)
  end
end

for _, made in ipairs(redis.call('HKEYS', prefix .. 'made')) do
  local kind, of_half = string.match(made, '^(%a)(%d+)$')
  local is_over = of_half + 2 < half
  if is_over or redis.call('EXISTS', hash_of(kind, half - of_half)) == 0 then
    redis.call('HDEL', prefix .. 'made', made)
    if not is_over then
      vanished(tonumber(of_half))
    end
  end
end

-- What is older than the window goes before it expires, which would stop the server for a large hash.
redis.call('UNLINK', hash_of('d', 3), hash_of('b', 3))

local lowest = redis.call('ZRANGE', prefix .. 'pending', 0, 0, 'WITHSCORES')[2] or ''

-- A revocation is remembered for two windows, and for as long as a batch that it may concern is pending.
local oldest, most_expired = redis.call('ZRANGE', prefix .. 'revocations', 0, 0)[1], 1000
while oldest do
  local number, expires = string.match(oldest, '^(%d+) %d+ (%d+) ')
  most_expired = most_expired - 1
  if tonumber(expires) >= now or most_expired < 0
    or (lowest ~= '' and tonumber(lowest) < tonumber(number)) then
    oldest = number
    break
  end
  redis.call('ZREM', prefix .. 'revocations', oldest)
  oldest = redis.call('ZRANGE', prefix .. 'revocations', 0, 0)[1]
end

local own = {}
if ARGV[8] == '1' then
  for _, id in ipairs(redis.call('ZRANGE', prefix .. 'pending', 0, -1)) do
    local _, owner = open_batch(id)
    if owner == bridge then
      own[#own + 1] = id
    end
  end
end
-- After many outages they are a hundred megabytes, for which no bridge waits.
local revocations, bytes, after = {}, 0, ARGV[7]
repeat
  local next_ones = redis.call('ZRANGEBYSCORE', prefix .. 'revocations', '(' .. after, '+inf', 'LIMIT', 0, 16)
  for _, entry in ipairs(next_ones) do
    if bytes < 1048576 then
      revocations[#revocations + 1] = entry
      bytes, after = bytes + #entry, string.match(entry, '^%d+')
    end
  end
until #next_ones < 16 or bytes >= 1048576
local more = redis.call('ZCOUNT', prefix .. 'revocations', '(' .. after, '+inf') > 0
return {
  token,
  lapsed,
  lowest,
  oldest or '',
  revocations,
  own,
  agreed,
  more and '1' or '0',
}
