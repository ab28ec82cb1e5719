-- Counts a batch once, and answers with its verdicts.
--
-- ARGV[4]  batch id
-- ARGV[5]  the stream
-- ARGV[6]  digests, 16 bytes each
--
-- {'lapsed'} | {'elsewhere'}
--   | {'counted', token, number, verdicts, '1' where delivered, generation or '' where not counted now}

if not lives(bridge) then
  return {'lapsed'}
end
local id, stream, digests = ARGV[4], ARGV[5], ARGV[6]

local delivered
for age = 0, 2 do
  delivered = delivered or redis.call('HGET', hash_of('b', age), id)
end
if delivered then
  local number, verdicts = string.match(delivered, '^(%d+) (.*)$')
  return {'counted', token, number, verdicts, '1', ''}
end
local number, owner, verdicts = open_batch(id)
if number then
  if lives(owner) then
    return {'elsewhere'}
  end
  redis.call('HSET', prefix .. 'open', id, number .. ' ' .. bridge .. ' ' .. verdicts)
  return {'counted', token, number, verdicts, '0', ''}
end

-- By the slots of the present, whatever the bridge knows of them.
local agreed = redis.call('GET', prefix .. 'streams') or ''
local names, removed = slots_of(agreed)
local slots, own_slot = #names, nil
for slot = 1, slots do
  own_slot = names[slot] == stream and slot or own_slot
end
if removed[own_slot] and now - removed[own_slot] > window / generations then
  removed[own_slot] = now -- its slot is free two windows after the last that was counted in it
  agree_on(names, removed, string.match(agreed, ' .*$'))
end

-- Digests are read, forgotten and written many in a call: a call costs as much as what it does. What
-- comes of a stream that was removed so long ago that it has no slot any more is kept uncounted.
local messages, fields = own_slot and #digests / 16 or 0, {}
for i = 1, messages do
  fields[i] = string.sub(digests, 16 * i - 15, 16 * i)
end
local found = read_digests(hash_of('d', 0), fields)
for age = 1, 2 do
  local hash = hash_of('d', age)
  if redis.call('EXISTS', hash) == 1 then
    local missing, at = {}, {}
    for i = 1, messages do
      if not found[i] then
        missing[#missing + 1], at[#at + 1] = fields[i], i
      end
    end
    for i, entry in ipairs(read_digests(hash, missing)) do
      found[at[i]] = entry
    end
  end
end

-- What becomes of an entry, of which few different ones exist: its new value, false where it is level;
-- whether the copy is kept, and its letter; the age of its hash.
local values, keeps, verdict, homes = {}, {}, {}, {}
local function count(entry)
  local age = entry and (generation - string.byte(entry)) % 256 or 0
  local known = entry
  if age >= 256 - generations then
    age = 0 -- the clock was set back
  end
  if age > generations then
    known, age = false, 0
  end
  local ahead, others, smallest = {}, 0, nil
  local wide = known and #known == 33
  for s = 1, slots do
    local copies = 0
    if wide then
      copies = struct.unpack('>I4', known, 4 * s - 2)
    elseif known then
      copies = string.byte(known, s + 1) or 0
    end
    if s == own_slot then
      copies = copies + 1
    elseif copies > others then
      others = copies
    end
    ahead[s] = copies
    -- Nobody waits for a stream that was removed. What it had brought counts.
    if not removed[s] then
      smallest = math.min(smallest or copies, copies)
    end
  end
  keeps[entry] = ahead[own_slot] > others
  verdict[entry] = string.char((keeps[entry] and 75 or 100) + age)
  homes[entry] = half - math.floor((generation - age) / (generations / 2))
  values[entry] = false
  local last, largest = 0, 0
  for s = 1, slots do
    ahead[s] = math.max(0, ahead[s] - (smallest or 0))
    if ahead[s] > 0 then
      last, largest = s, math.max(largest, ahead[s])
    end
  end
  local first_seen = (generation - age) % 256
  if largest > 255 then
    for s = slots + 1, 8 do
      ahead[s] = 0
    end
    values[entry] = string.char(first_seen) .. struct.pack('>I4I4I4I4I4I4I4I4', unpack(ahead))
  elseif largest > 0 then
    values[entry] = string.char(first_seen, unpack(ahead, 1, last))
  end
end

-- Those that are not in the newest hash, or more than once in the batch, are rare.
local becomes, rare, new, news, gone, goes = {}, {}, {}, 0, {}, 0
local letters, kept = {}, 0
for i = 1, messages do
  local field = fields[i]
  local entry = becomes[field]
  local again = entry ~= nil
  if not again then
    entry = found[i]
  end
  if values[entry] == nil then
    count(entry)
  end
  local value = values[entry]
  becomes[field] = value
  if again or homes[entry] > 0 then
    rare[field] = homes[entry]
  elseif value then
    news = news + 2
    new[news - 1], new[news] = field, value
  else
    goes = goes + 1
    gone[goes] = field
  end
  letters[i] = verdict[entry]
  if keeps[entry] then
    kept = kept + 1
  end
end

forget_digests(hash_of('d', 0), gone)
in_chunks(new, function(first, last)
  redis.call('HSET', newest_hash('d'), unpack(new, first, last))
end)
for field, home in pairs(rare) do
  for age = 0, 2 do
    if age == home and becomes[field] then
      redis.call('HSET', age == 0 and newest_hash('d') or hash_of('d', age), field, becomes[field])
    else
      redis.call('HDEL', hash_of('d', age), field)
    end
  end
end

number = string.format('%.0f', redis.call('INCR', prefix .. 'number'))
verdicts = table.concat(letters)
if not own_slot then
  verdicts, kept = 'K', #digests / 16
elseif verdicts == string.rep(letters[1], messages) then
  verdicts = letters[1]
end
if kept == 0 then
  remember_delivered(id, number, verdicts)
else
  redis.call('HSET', prefix .. 'open', id, number .. ' ' .. bridge .. ' ' .. verdicts)
  redis.call('HSET', prefix .. 'shown', id, digests)
  redis.call('ZADD', prefix .. 'pending', number, id)
end
local seen = own_slot and string.format('%.0f', generation) or ''
return {'counted', token, number, verdicts, '0', seen}
