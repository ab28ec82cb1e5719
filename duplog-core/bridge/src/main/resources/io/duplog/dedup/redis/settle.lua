-- Ends a period of the tallies, unless another bridge was first.
--
-- ARGV[4]   token and set of streams with which it was read
-- ARGV[5]   the last settled period when it was read, or -1
-- ARGV[6]   period
-- ARGV[7]   its summary; '' for none
-- ARGV[8]   forget the summaries of periods before this one
-- ARGV[9]   hour
-- ARGV[10]  that hour's summary; '' for none
-- ARGV[11]  forget the summaries of hours before this one

local era = token .. '.' .. (redis.call('GET', prefix .. 'since') or '')
if ARGV[4] ~= era or (redis.call('GET', prefix .. 'settled') or '-1') ~= ARGV[5] then
  return {'0'}
end
redis.call('DEL', prefix .. 'period:' .. ARGV[6])
redis.call('ZREM', prefix .. 'periods', ARGV[6])
redis.call('SET', prefix .. 'settled', ARGV[6])
if ARGV[7] ~= '' then
  redis.call('ZADD', prefix .. 'history', ARGV[6], ARGV[7])
end
redis.call('ZREMRANGEBYSCORE', prefix .. 'history', '-inf', '(' .. ARGV[8])
if ARGV[10] ~= '' then
  redis.call('ZREMRANGEBYSCORE', prefix .. 'hours', ARGV[9], ARGV[9])
  redis.call('ZADD', prefix .. 'hours', ARGV[9], ARGV[10])
end
redis.call('ZREMRANGEBYSCORE', prefix .. 'hours', '-inf', '(' .. ARGV[11])
return {'1'}
