-- Stands before each of the other scripts.
--
-- KEYS[1]  prefix of all keys, such as 'duplog:'
-- ARGV[1]  eight characters that name the epoch, should a new one begin
-- ARGV[2]  the calling bridge
-- ARGV[3]  window, ms
--
-- prefix..'epoch'        run id of the server, then the epoch's token
-- prefix..'streams'      the streams that the bridges of this epoch agree on
-- prefix..'number'       the last number given to a batch or a revocation
-- prefix..'leases'       sorted set: bridge by the time at which its lease lapses
-- prefix..'pending'      sorted set: batch id by number
-- prefix..'open'         hash: pending batch id -> 'number bridge verdicts'
-- prefix..'shown'        hash: pending batch id -> the digests of all its messages
-- prefix..'revocations'  sorted set: 'number revoked expires digests' by number
-- prefix..'board'        hash: what bridges saw of the streams -> 'when text'; of no epoch
-- prefix..'b'..token..id      delivered batch -> 'number verdicts'; lives for a window
-- prefix..'d'..token..digest  4 bytes a stream, its copies ahead of the stream that has the fewest
--
-- Only the last two have a TTL, so that a policy of volatile-lru can evict nothing else.

local prefix, bridge, window = KEYS[1], ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Data of another run of the server (a snapshot, a promoted replica) is never read.
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
local epoch = redis.call('GET', prefix .. 'epoch')
local function begin_epoch()
  redis.call('DEL', prefix .. 'streams', prefix .. 'number', prefix .. 'leases', prefix .. 'pending',
    prefix .. 'open', prefix .. 'shown', prefix .. 'revocations')
  epoch = run .. ARGV[1]
  redis.call('SET', prefix .. 'epoch', epoch)
end
if not epoch or string.sub(epoch, 1, #run) ~= run then
  begin_epoch()
end
local token = string.sub(epoch, #run + 1)

local function lives(name)
  local lapses = redis.call('ZSCORE', prefix .. 'leases', name)
  return lapses and tonumber(lapses) > now
end

-- A batch's verdicts are a letter a message, K or d, or one letter where all are alike.
local function open_batch(id)
  local open = redis.call('HGET', prefix .. 'open', id)
  if open then
    return string.match(open, '^(%d+) (%S+) (.*)$')
  end
end

