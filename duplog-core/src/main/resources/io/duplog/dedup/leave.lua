-- Ends the bridge's lease. What it has pending is revoked by the next bridge that advances.

if lives(bridge) then
  redis.call('ZADD', prefix .. 'leases', now, bridge)
end
return 'OK'
