-- Ends the bridge's lease. What it has pending is revoked by the next bridge that advances.

redis.call('ZADD', prefix .. 'leases', 'XX', 0, bridge)
return 'OK'
