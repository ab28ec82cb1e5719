-- Tries each command that the other scripts run, on a key of its own that nobody else sees. Stands alone.
--
-- KEYS[1]  a key that is not there
--
-- {the commands that failed}

local key = KEYS[1]
local failed = {}
local function try(command, ...)
  local answer = redis.pcall(command, ...)
  if type(answer) == 'table' and answer.err then
    failed[#failed + 1] = string.lower(command)
  end
end

try('TIME')
try('INFO', 'replication')
try('EXISTS', key)
try('SET', key, '1')
try('GET', key)
try('INCR', key)
try('PEXPIREAT', key, '1')
try('DEL', key)

try('HSET', key, 'a', '1')
try('HGET', key, 'a')
try('HMGET', key, 'a')
try('HGETALL', key)
try('HKEYS', key)
try('HINCRBY', key, 'a', '1')
try('HDEL', key, 'a')
try('DEL', key)

try('UNLINK', key)
try('DEL', key)

try('ZADD', key, '1', 'a')
try('ZSCORE', key, 'a')
try('ZCOUNT', key, '1', '1')
try('ZRANGE', key, '0', '0')
try('ZREVRANGE', key, '0', '0')
try('ZRANGEBYSCORE', key, '1', '1')
try('ZREM', key, 'a')
try('ZREMRANGEBYSCORE', key, '1', '1')
try('DEL', key)
return failed
