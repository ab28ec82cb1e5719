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

-- All digests are read in one call, and forgotten in one: a call costs as much as what it does.
-- 1000 at a time, since Lua's stack holds a few thousand.
local messages, most = #digests / 16, 1000
local keys, found, values, distinct = {}, {}, {}, {}
local space = prefix .. 'd' .. token
for i = 1, messages do
  keys[i] = space .. string.sub(digests, 16 * i - 15, 16 * i)
end
for first = 1, messages, most do
  local last = math.min(first + most - 1, messages)
  for i, value in ipairs(redis.call('MGET', unpack(keys, first, last))) do
    found[first + i - 1] = value
  end
end

-- What a digest becomes, and whether the copy is kept. False stands for a level digest.
local function count(known)
  local ahead, others, smallest = {}, 0, nil
  for s = 1, streams do
    local copies = known and struct.unpack('>I4', known, 4 * s - 3) or 0
    if s == stream then
      copies = copies + 1
    elseif copies > others then
      others = copies
    end
    ahead[s] = copies
    if not smallest or copies < smallest then
      smallest = copies
    end
  end
  local value, level = '', true
  for s = 1, streams do
    local copies = ahead[s] - smallest
    level = level and copies == 0
    value = value .. struct.pack('>I4', copies)
  end
  return not level and value, ahead[stream] > others
end

-- The two cases of a healthy pair are known beforehand: nobody had brought it, and only the other
-- stream had, once.
local unmatched, other_only = count(false), nil
if streams == 2 then
  other_only = struct.pack('>I4I4', stream - 1, 2 - stream)
end
local letters, kept = {}, 0
for i = 1, messages do
  local key = keys[i]
  local known, keep = values[key], nil
  if known == nil then
    known, distinct[#distinct + 1] = found[i], i
  end
  if not known then
    values[key], keep = unmatched, true
  elseif known == other_only then
    values[key], keep = false, false
  else
    values[key], keep = count(known)
  end
  if keep then
    letters[i], kept = 'K', kept + 1
  else
    letters[i] = 'd'
  end
end

local level = {}
for _, i in ipairs(distinct) do
  local key = keys[i]
  local value = values[key]
  if not value then
    level[#level + 1] = key
  elseif found[i] then
    redis.call('SET', key, value, 'KEEPTTL')
  else
    redis.call('SET', key, value, 'PX', window)
  end
end
for first = 1, #level, most do
  redis.call('DEL', unpack(level, first, math.min(first + most - 1, #level)))
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
