-- Counts a batch once, and answers with its verdicts.
--
-- ARGV[4]  batch id
-- ARGV[5]  the stream's index, from 1
-- ARGV[6]  how many streams
-- ARGV[7]  digests, 16 bytes each
--
-- {'lapsed'} | {'elsewhere'} | {'counted', token, number, verdicts, '1' where delivered}

if not lives(bridge) then
  return {'lapsed'}
end
local id, stream, streams, digests = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]

local delivered = redis.call('GET', prefix .. 'b' .. token .. id)
if delivered then
  local number, verdicts = string.match(delivered, '^(%d+) (.*)$')
  return {'counted', token, number, verdicts, '1'}
end
local number, owner, verdicts = open_batch(id)
if number then
  if lives(owner) then
    return {'elsewhere'}
  end
  redis.call('HSET', prefix .. 'open', id, number .. ' ' .. bridge .. ' ' .. verdicts)
  return {'counted', token, number, verdicts, '0'}
end

local letters, kept = {}, 0
local ahead = {}
local messages = #digests / 16
for i = 1, messages do
  local key = prefix .. 'd' .. token .. string.sub(digests, 16 * i - 15, 16 * i)
  local known = redis.call('GET', key)
  local others, smallest = 0, nil
  for s = 1, streams do
    local count = known and struct.unpack('>I4', known, 4 * s - 3) or 0
    if s == stream then
      count = count + 1
    elseif count > others then
      others = count
    end
    ahead[s] = count
    if not smallest or count < smallest then
      smallest = count
    end
  end
  if ahead[stream] > others then
    letters[i], kept = 'K', kept + 1
  else
    letters[i] = 'd'
  end
  local value, level = '', true
  for s = 1, streams do
    local count = ahead[s] - smallest
    level = level and count == 0
    value = value .. struct.pack('>I4', count)
  end
  if level then
    redis.call('DEL', key)
  elseif known then
    redis.call('SET', key, value, 'KEEPTTL')
  else
    redis.call('SET', key, value, 'PX', window)
  end
end

number = string.format('%.0f', redis.call('INCR', prefix .. 'number'))
if kept == messages then
  verdicts = 'K'
elseif kept == 0 then
  verdicts = 'd'
else
  verdicts = table.concat(letters)
end
if kept == 0 then
  redis.call('SET', prefix .. 'b' .. token .. id, number .. ' ' .. verdicts, 'PX', window)
else
  redis.call('HSET', prefix .. 'open', id, number .. ' ' .. bridge .. ' ' .. verdicts)
  redis.call('HSET', prefix .. 'shown', id, digests)
  redis.call('ZADD', prefix .. 'pending', number, id)
end
return {'counted', token, number, verdicts, '0'}
