-- Replaces what is known of senders, each text only where it is still the one that the bridge knows.
--
-- KEYS[1]     prefix of all keys, such as 'duplog:'
-- ARGV[1...]  sender, the text that the bridge knows, the text that replaces it, again and again;
--             no text is ''
--
-- {text of each sender before that, ...}
--
-- prefix..'senders'  hash: sender -> text; of no epoch

local senders, answer = KEYS[1] .. 'senders', {}
for i = 1, #ARGV, 3 do
  local text = redis.call('HGET', senders, ARGV[i]) or ''
  if text == ARGV[i + 1] then
    if ARGV[i + 2] == '' then
      redis.call('HDEL', senders, ARGV[i])
    else
      redis.call('HSET', senders, ARGV[i], ARGV[i + 2])
    end
  end
  answer[#answer + 1] = text
end
return answer
