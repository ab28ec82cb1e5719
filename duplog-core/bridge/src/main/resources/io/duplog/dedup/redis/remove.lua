-- Ends a stream: nobody waits for it from now on. What it had brought counts for as long as that is
-- remembered, and it has its slot for two windows.
--
-- ARGV[4]  stream
--
-- {'removed' | 'gone' | 'unknown' | 'few', what is agreed on}

local agreed = redis.call('GET', prefix .. 'streams')
local names, removed = slots_of(agreed)
local answer = 'unknown'
for slot, name in ipairs(names) do
  if name == ARGV[4] and removed[slot] then
    answer = 'gone'
  elseif name == ARGV[4] then
    removed[slot] = now
    if #merged_streams(names, removed) < 2 then
      return {'few', agreed}
    end
    agreed = agree_on(names, removed, string.match(agreed, ' .*$'))
    begin_tallies()
    answer = 'removed'
  end
end
return {answer, agreed or ''}
