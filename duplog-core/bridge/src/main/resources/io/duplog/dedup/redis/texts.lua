-- Replaces texts that bridges share, each only where it is still the one that the bridge knows.
--
-- KEYS[1]     prefix of all keys, such as 'duplog:'
-- ARGV[1]     name of the hash
-- ARGV[2...]  name, the text that the bridge knows, the text that replaces it, again and again;
--             no text is ''
--
-- {each text before that, ...}
--
-- prefix..name  hash: name -> text; of no epoch

local hash, answer = KEYS[1] .. ARGV[1], {}
for i = 2, #ARGV, 3 do
  local text = redis.call('HGET', hash, ARGV[i]) or ''
  if text == ARGV[i + 1] then
    if ARGV[i + 2] == '' then
      redis.call('HDEL', hash, ARGV[i])
    else
      redis.call('HSET', hash, ARGV[i], ARGV[i + 2])
    end
  end
  answer[#answer + 1] = text
end
return answer
