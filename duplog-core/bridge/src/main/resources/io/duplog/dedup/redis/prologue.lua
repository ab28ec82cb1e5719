-- Stands before each of the other scripts.
--
-- KEYS[1]  prefix of all keys, such as 'duplog:'
-- ARGV[1]  eight characters that name the epoch, should a new one begin
-- ARGV[2]  the calling bridge
-- ARGV[3]  window, ms
--
-- prefix..'lineage'      the replication id under which the server wrote it, then the epoch's token
-- prefix..'streams'      what the bridges of this epoch agree on: streams by slot, window, layout, as in
--                              'a,b,c!1700000000000,- (window 600000 ms, layout 6)', where c was removed
--                              or judged last at that time, and the fourth slot is free; an identity
--                              that is not the default stands before the layout
-- prefix..'sources'      hash: bridge -> the brokers that it reads, as advance.lua says; ' ' stream '/' queue ->
--                              the broker that was agreed on last
-- prefix..'number'       the last number given to a batch or a revocation
-- prefix..'leases'       sorted set: bridge by the time at which its lease lapses
-- prefix..'clock'        the time of the last call of advance, whoever made it, ms
-- prefix..'pending'      sorted set: batch id by number
-- prefix..'open'         hash: pending batch id -> 'number bridge verdicts'
-- prefix..'shown'        hash: pending batch id -> the digests of all its messages
-- prefix..'revocations'  sorted set: 'number revoked expires digests' by number
-- prefix..'since'        when the epoch, or its present set of streams, began, ms
-- prefix..'tallied'      hash: bridge -> 'last call, ms; counted until, ms; number of call; volume'
-- prefix..'periods'      sorted set: the periods that are being tallied
-- prefix..'period:'..p   hash: '='..bridge -> its counts, as Summary says; '?'..bridge -> messages that it did
--                              not count; '?' -> messages that may be missing from the counts
-- prefix..'settled'      the last period that was settled
-- prefix..'revoked'      the last revocation that the tallies know of
-- prefix..'history'      sorted set: summary by period
-- prefix..'hours'        sorted set: summary by hour
-- prefix..'board'        hash: what bridges saw of the streams -> 'when text'; of no epoch
-- prefix..'senders'      hash: what is known of each sender, as SenderRecord says; of no epoch
-- prefix..'statements'   hash: notes of bridges and statements, as StatementKeeper says; of no epoch
-- prefix..'made'         hash: those of the last two that were made and are to be there still -> '1'
-- prefix..'forgotten'    'from until': some that was first seen from then on was forgotten before its time,
--                              and comes as if it were new until then, ms
-- prefix..'b'..token..half    hash: delivered batch id -> 'number verdicts'
-- prefix..'d'..token..half  hash: digest -> the generation of its first sight modulo 256, a byte; then
--                              for each slot its copies ahead of the stream that has the fewest: a
--                              byte each as far as they are not 0, or 4 bytes for each of 8 slots
--
-- Only the last two have a TTL, so that a policy of volatile-ttl can evict nothing else, and the
-- oldest of those first.

local prefix, bridge, window = KEYS[1], ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- A digest is remembered for a window from its first sight, and up to a generation more. Times are
-- told in generations, of which a window has so many. What was first seen in one half of a window shares
-- a hash, so that three hashes hold all that is remembered of a kind, digests (d) or delivered batches (b).
local generations = 16
local generation, half = math.floor(now * generations / window), math.floor(now * 2 / window)

-- Data of another history is never read: of another run of the server (a snapshot), of another server (a
-- promoted replica, a slot that has moved), and of the same run before it was a replica for a while, whose
-- data it has now. Each of them changes the replication id of a master. A replica has its master's.
local info = redis.call('INFO', 'replication')
if not string.find(info, 'role:master', 1, true) then
  return redis.error_reply('READONLY a replica counts nothing')
end
local _, before_run = string.find(info, 'master_replid:', 1, true)
local run = string.sub(info, before_run + 1, before_run + 40)
local epoch = redis.call('GET', prefix .. 'lineage')
local function begin_tallies()
  for _, period in ipairs(redis.call('ZRANGE', prefix .. 'periods', 0, -1)) do
    redis.call('DEL', prefix .. 'period:' .. period)
  end
  redis.call('DEL', prefix .. 'tallied', prefix .. 'periods', prefix .. 'settled', prefix .. 'revoked',
    prefix .. 'history', prefix .. 'hours',
    prefix .. 'regulars') -- of layout 5
  redis.call('SET', prefix .. 'since', string.format('%.0f', now))
end
local function begin_epoch(last_half)
  redis.call('DEL', prefix .. 'streams', prefix .. 'sources', prefix .. 'number', prefix .. 'leases', prefix .. 'clock',
    prefix .. 'pending', prefix .. 'open', prefix .. 'shown', prefix .. 'revocations',
    prefix .. 'made', prefix .. 'forgotten')
  begin_tallies()
  -- Beside what this epoch will remember there may be no room for what the last one did, and a large
  -- hash that expires would stop the server.
  if epoch then
    for age = -1, 3 do
      local end_of_name = string.sub(epoch, #run + 1) .. string.format('%.0f', last_half - age)
      redis.call('UNLINK', prefix .. 'd' .. end_of_name, prefix .. 'b' .. end_of_name)
    end
  end
  epoch = run .. ARGV[1]
  redis.call('SET', prefix .. 'lineage', epoch)
end
if not epoch or string.sub(epoch, 1, #run) ~= run then
  begin_epoch(half)
end
local token = string.sub(epoch, #run + 1)

local function lives(name)
  local lapses = redis.call('ZSCORE', prefix .. 'leases', name)
  return lapses and tonumber(lapses) > now
end

-- The streams' names by slot, and for each slot whose stream is not merged the time that stands there.
local function slots_of(agreed)
  local names, removed = {}, {}
  for name, at in string.gmatch(string.match(agreed or '', '^%S*'), '([^,!]+)!?(%d*)') do
    names[#names + 1] = name
    if at ~= '' or name == '-' then
      removed[#names] = tonumber(at) or 0
    end
  end
  return names, removed
end

local function merged_streams(names, removed)
  local merged = {}
  for slot, name in ipairs(names) do
    if not removed[slot] then
      merged[#merged + 1] = name
    end
  end
  return merged
end

local function agree_on(names, removed, terms)
  local texts = {}
  for slot, name in ipairs(names) do
    texts[slot] = name
    if removed[slot] and name ~= '-' then
      texts[slot] = name .. '!' .. string.format('%.0f', removed[slot])
    end
  end
  local agreed = table.concat(texts, ',') .. terms
  redis.call('SET', prefix .. 'streams', agreed)
  return agreed
end

local function hash_of(kind, age)
  return prefix .. kind .. token .. string.format('%.0f', half - age)
end

-- Called for a hash that is gone before its time: evicted, or deleted. Stretches of time that the tallies may
-- still have to settle are told as one.
local function vanished(of_half)
  local from, till = of_half * window / 2, (of_half + 3) * window / 2 + window / generations
  local known = redis.call('GET', prefix .. 'forgotten') or ''
  local known_from, known_till = string.match(known, '^(%d+) (%d+)$')
  if known_till and now < known_till + 2 * window + 60000 then
    from, till = math.min(from, tonumber(known_from)), math.max(till, tonumber(known_till))
  end
  redis.call('SET', prefix .. 'forgotten', string.format('%.0f %.0f', from, till))
end

-- The hash that takes what is new. A long field makes it a hash table from the start: in the compact
-- form, which Redis uses up to 512 fields, each access looks through all of them.
local function newest_hash(kind)
  local hash = hash_of(kind, 0)
  if redis.call('EXISTS', hash) == 0 then
    redis.call('HSET', hash, ' ', string.rep(' ', 1024))
    redis.call('PEXPIREAT', hash, string.format('%.0f', (half + 4) * window / 2))
    if redis.call('HSET', prefix .. 'made', kind .. string.format('%.0f', half), '1') == 0 then
      vanished(half)
    end
  end
  return hash
end

local function remember_delivered(id, number, verdicts)
  redis.call('HSET', newest_hash('b'), id, number .. ' ' .. verdicts)
end

-- Lua's stack holds a few thousand values.
local function in_chunks(list, work)
  for first = 1, #list, 2000 do
    work(first, math.min(first + 1999, #list))
  end
end

local function forget_digests(hash, digests)
  in_chunks(digests, function(first, last)
    redis.call('HDEL', hash, unpack(digests, first, last))
  end)
end

-- An entry, or false, for each.
local function read_digests(hash, digests)
  local entries = {}
  in_chunks(digests, function(first, last)
    local some = redis.call('HMGET', hash, unpack(digests, first, last))
    if first == 1 then
      entries = some
    else
      for i = 1, #some do
        entries[first + i - 1] = some[i]
      end
    end
  end)
  return entries
end

-- A batch's verdicts are a letter a message, or one letter where all are alike: K for a copy that is
-- kept, d for one that is dropped, or the letter as far behind it as its digest is old in generations.
local function open_batch(id)
  local open = redis.call('HGET', prefix .. 'open', id)
  if open then
    return string.match(open, '^(%d+) (%S+) (.*)$')
  end
end

