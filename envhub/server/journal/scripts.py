"""The Lua scripts of the journal in Redis; each is atomic.

An episode is a list, ``e:ID``: its head (its incarnation and the digest of its last turn), its header, its turns. ``used``
sorts all ids by last use, ``ended`` sorts the finished ones by when they finished, and ``open:OWNER`` is the set of an owner's
unfinished ones. All keys start with the prefix passed to the script. The first two arguments of every script are the time and
the idle time. Idle episodes count as deleted, whether swept or not.
"""

from __future__ import annotations

from hashlib import sha1
from typing import Final, NamedTuple


class Script(NamedTuple):
    """A script, and the SHA-1 by which Redis identifies it."""

    source: str
    digest: str


_SHARED: Final = """
local P, now, ttl = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function keep(key) redis.call('PEXPIRE', key, math.ceil(ttl * 1000) + 60000) end
local function list(id) return P .. 'e:' .. id end
local function alive(id)
    local used = redis.call('ZSCORE', P .. 'used', id)
    return used and now - tonumber(used) <= ttl and redis.call('EXISTS', list(id)) == 1
end
local function open_of(id)
    return P .. 'open:' .. string.sub(id, 1, string.find(id, ':', 1, true) or 0)
end
local function use(id)
    redis.call('ZADD', P .. 'used', 'GT', ARGV[1], id)
    for _, key in ipairs({list(id), P .. 'used', P .. 'ended', P .. 'ends', open_of(id)}) do keep(key) end
end
local function finish(id)
    redis.call('ZADD', P .. 'ended', redis.call('INCR', P .. 'ends'), id)
    redis.call('SREM', open_of(id), id)
end
local function forget(id)
    redis.call('DEL', list(id))
    redis.call('ZREM', P .. 'used', id)
    redis.call('ZREM', P .. 'ended', id)
    redis.call('SREM', open_of(id), id)
end
local function forget_idle(most)
    local ids = redis.call('ZRANGEBYSCORE', P .. 'used', '-inf', '(' .. string.format('%.17g', now - ttl), 'LIMIT', 0, most)
    for _, id in ipairs(ids) do forget(id) end
    return ids
end
local function held() return redis.call('ZCARD', P .. 'used') end
local function stored(id) return redis.call('LRANGE', list(id), 1, -1) end
"""


def _script(body: str) -> Script:
    source = f"{_SHARED}{body}"
    return Script(source, sha1(source.encode(), usedforsecurity=False).hexdigest())


CREATE: Final = _script("""
local id, capacity, over = ARGV[3], tonumber(ARGV[4]), ARGV[5]
if alive(id) then
    use(id)
    local found = stored(id)
    table.insert(found, 1, 'taken')
    return found
end
local gone = {}
if redis.call('ZSCORE', P .. 'used', id) then
    forget(id)
    gone[1] = id
end
local most, open = tonumber(ARGV[6]), open_of(id)
if most >= 0 and redis.call('SCARD', open) >= most then
    for _, idle in ipairs(forget_idle(500)) do gone[#gone + 1] = idle end
    if redis.call('SCARD', open) >= most then return {'many', held(), unpack(gone)} end
end
if held() >= capacity then
    for _, idle in ipairs(forget_idle(500)) do gone[#gone + 1] = idle end
end
if held() >= capacity then
    local first = redis.call('ZRANGE', P .. 'ended', 0, 0)[1]
    if first then
        forget(first)
        gone[#gone + 1] = first
    end
end
local said = 'full'
if held() < capacity then
    said = 'made'
    redis.call('DEL', list(id))
    for n = 7, #ARGV do redis.call('RPUSH', list(id), ARGV[n]) end
    redis.call('SADD', open, id)
    if over == '1' then finish(id) end
    use(id)
end
return {said, held(), unpack(gone)}
""")

APPEND: Final = _script("""
local id, before, turn, entry, over = ARGV[3], ARGV[4], tonumber(ARGV[6]), ARGV[7], ARGV[8]
if not alive(id) then return {} end
if redis.call('LINDEX', list(id), 0) ~= before or redis.call('LLEN', list(id)) ~= turn + 2 then return stored(id) end
redis.call('RPUSH', list(id), entry)
redis.call('LSET', list(id), 0, ARGV[5])
use(id)
if over == '1' then finish(id) end
return false
""")

LOAD: Final = _script("""
local id = ARGV[3]
if not alive(id) then return {} end
if ARGV[4] == '1' then use(id) end
return stored(id)
""")

POSITION: Final = _script("""
local id = ARGV[3]
if not alive(id) then return false end
return {redis.call('LLEN', list(id)) - 2, redis.call('LINDEX', list(id), 0)}
""")

DELETE: Final = _script("""
local there = alive(ARGV[3])
forget(ARGV[3])
return there and 1 or 0
""")

SWEEP: Final = _script("""
local gone = forget_idle(tonumber(ARGV[3]))
return {held(), unpack(gone)}
""")

COUNT: Final = _script("""
return redis.call('ZCOUNT', P .. 'used', string.format('%.17g', now - ttl), '+inf')
""")

COUNT_OPEN: Final = _script("""
forget_idle(500)
return redis.call('SCARD', P .. 'open:' .. ARGV[3])
""")

FINISHED: Final = _script("""
return redis.call('ZRANGE', P .. 'ended', 0, -1)
""")
