"""Makes fair-dice-vectors.json: the formulas of docs/fair-dice.md once more, sharing nothing with the project's code.

Run: python3 test/reference/make-vectors.py > test/reference/fair-dice-vectors.json
"""

import hashlib
import hmac
import json


def field(value):
    if isinstance(value, int):
        value = str(value)
    if isinstance(value, str):
        value = value.encode()
    return len(value).to_bytes(4, "big") + value


def keyed(key, *fields):
    return hmac.new(key, b"".join(field(f) for f in fields), hashlib.sha256).digest()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    # Sorted keys, no spaces, ASCII only: RFC 8785 for the values the log admits.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def base32_20(data):
    bits = "".join(format(b, "08b") for b in data)[:100]
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[int(bits[i : i + 5], 2)] for i in range(0, 100, 5))


def picks(key, n, ks):
    made, block, c = [], b"", 0
    for k in ks:
        while True:
            if not block:
                block = keyed(key, "chance", n, c)
                c += 1
            byte, block = block[0], block[1:]
            if byte < k * (256 // k):
                made.append(byte % k)
                break
    return made


master = bytes(range(32))
second = bytes(range(100, 132))
game = "abcdefghijklmnop2345"
secret = keyed(master, "secret", game)
before_start = sha(b"the commit before the start")
chance_key = keyed(secret, "key", before_start)

contents = [
    {"type": "opened", "seats": 4, "open": True, "note": None},
    {"type": "handDealt", "seat": 2, "cards": [3, 17, 41], "mark": "a\"b\\c\n\x7f"},
    {"b": -1, "a": [], "B": {}, "type": "x", "10": 9007199254740991, "9": "/<>&"},
]
digests = []
for index, content in enumerate(contents):
    salt = keyed(secret, "salt", 7, index).hex()
    digests.append(
        {
            "content": content,
            "canonical": canonical(content).decode(),
            "salt": salt,
            "unsalted": sha(canonical(content)),
            "salted": sha(bytes.fromhex(salt) + canonical(content)),
        }
    )

command = contents[0]
events = [contents[1], contents[2]]
envelope = {
    "format": 1,
    "schema": 3,
    "game": game,
    "n": 7,
    "at": 1796083200000,
    "by": "00112233445566778899aabbccddeeff",
    "commandId": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    "previous": before_start,
    "seal": keyed(secret, "seal", 7, "ring3 red/blue red attack a:red:3").hex(),
    "secret": None,
}
digested = {
    "command": sha(canonical(command)),
    # handDealt can be hidden, so it is salted (index 1); the other is not.
    "events": [sha(keyed(secret, "salt", 7, 1) + canonical(events[0])), sha(canonical(events[1]))],
}

vectors = {
    "master": master.hex(),
    "second": second.hex(),
    "game": game,
    "keyedHash": [
        {"fields": ["label"], "hash": keyed(master, "label").hex()},
        {"fields": ["a", "bc", 0], "hash": keyed(master, "a", "bc", 0).hex()},
        {"fields": ["ab", "c", -12], "hash": keyed(master, "ab", "c", -12).hex()},
        {"fields": ["Grüße", ""], "hash": keyed(master, "Grüße", "").hex()},
    ],
    "secret": secret.hex(),
    "secondEpochSecret": keyed(master, "secret", game, 1).hex(),
    "commitment": sha(secret),
    "gameId": {
        "owner": "subject-1",
        "commandId": "6F9619FF-8B86-4D01-B42D-00CF4FC964FF",
        "id": base32_20(keyed(master, "game-id", "subject-1", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff")),
    },
    "memberId": {"subject": "subject-1", "id": keyed(master, "member", game, "subject-1").hex()[:32]},
    "invitation": {
        "code": base32_20(keyed(master, "invitation", game)),
        "mark": keyed(master, "invitation-mark", base32_20(keyed(master, "invitation", game))).hex(),
    },
    "salts": [{"n": n, "index": i, "salt": keyed(secret, "salt", n, i).hex()} for n, i in [(1, 0), (7, 2), (1000, 12)]],
    "seals": [
        {"n": n, "position": p, "seal": keyed(secret, "seal", n, p).hex()}
        for n, p in [(1, ""), (7, "ring3 red/blue red attack a:red:3")]
    ],
    "beforeStart": before_start,
    "chanceKey": chance_key.hex(),
    "chance": [
        {"n": n, "ks": ks, "values": picks(chance_key, n, ks)}
        for n, ks in [
            (1, [6] * 100),
            (2, [1, 2, 3, 4, 5, 6, 7, 42, 44, 100, 129, 200, 255, 256] * 8),
            (3, [129] * 90),
            (12345, list(range(256, 0, -1))),
        ]
    ],
    "seeded": {
        "seed": "seed 1",
        "values": picks(hashlib.sha256(b"seed 1").digest(), 0, [6] * 80),
    },
    "digests": digests,
    "commit": {
        "envelope": envelope,
        "command": command,
        "events": events,
        "hiddenEvents": ["handDealt"],
        "commandDigest": digested["command"],
        "eventDigests": digested["events"],
        "hash": sha(canonical({**envelope, **digested})),
    },
}
print(json.dumps(vectors, indent=1))
