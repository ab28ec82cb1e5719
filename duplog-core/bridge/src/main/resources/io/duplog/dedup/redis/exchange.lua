-- Takes what a bridge saw, and answers with what all bridges saw last. Forgets the settings and the
-- status that a bridge has not noted for an hour, and that one was refused: its name may never come
-- again.
--
-- ARGV[4...]  subject, text, how long ago in ms, again and again
--
-- {subject, text, how long ago in ms, ...}

local board = prefix .. 'board'
for i = 4, #ARGV, 3 do
  local seen = math.max(0, now - tonumber(ARGV[i + 2]))
  local known = redis.call('HGET', board, ARGV[i])
  local before = known and tonumber(string.match(known, '^(%d+) ')) or 0
  -- A sight from the future was noted by a clock that has been set back since.
  if before <= seen or before > now then
    redis.call('HSET', board, ARGV[i], string.format('%.0f ', seen) .. ARGV[i + 1])
  end
end

local answer, all = {}, redis.call('HGETALL', board)
for i = 1, #all, 2 do
  local seen, text = string.match(all[i + 1], '^(%d+) (.*)$')
  local passes = string.find(all[i], '^settings of ') or string.find(all[i], '^status of ')
    or string.find(all[i], '^refused ')
  if seen and passes and now - tonumber(seen) > 3600000 then
    redis.call('HDEL', board, all[i])
  elseif seen then
    answer[#answer + 1] = all[i]
    answer[#answer + 1] = text
    answer[#answer + 1] = string.format('%.0f', math.max(0, now - tonumber(seen)))
  end
end
return answer
