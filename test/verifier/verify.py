#!/usr/bin/env python3
"""Verifies logs of games, from docs/log-format.md alone: python3 verify.py [--head N-HASH] [--maps folder] log.ndjson

Prints findings, then a verdict; `-` is standard input. Exit 0: sound, 1: not sound, 2: cannot be checked."""
import argparse, hashlib, hmac, itertools, json, sys
from collections import defaultdict
from pathlib import Path

HASHED = 'format schema game n at by commandId command events previous seal secret'.split()
FIELDS = {*HASHED, 'hash', 'commandDigest', 'commandSalt', 'eventDigests', 'eventSalts'}
HIDDEN = {'cardDrawn': 'card', 'handTaken': 'cards'}  # the salted types of events, and the field a redacted log hides
DEALT = ['turnOrderRolled', 'garrisonPlaced', 'territoriesDealt', 'armiesDealt']  # what only the start draws
DRAWN = [*DEALT, 'battleFought', 'cardDrawn']

class Unreadable(BaseException):
    """The input is no log, or one that this program cannot check; other exceptions in a check are findings."""

def refuse(text):
    raise ValueError(f'{text} is not allowed')
def integer(text):
    return int(text) if len(text) < 18 and abs(int(text)) < 2**53 else refuse('so large an integer')
def record(pairs):
    return dict(pairs) if len(dict(pairs)) == len(pairs) else refuse('a key that stands twice')
STRICT = {'object_pairs_hook': record, 'parse_int': integer, 'parse_float': refuse, 'parse_constant': refuse}

def read(file):
    """The objects of a log, one a line; what they must hold is checked later."""
    objects = []
    for line in filter(bytes.strip, file):
        try:
            objects.append(json.loads(line.decode(), **STRICT))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f'commit {len(objects)}: cannot be read: {error}')
    return objects if len(objects) > 1 and 'hazardLog' in objects[0] else refuse('a log without header and commits')

def canonical(value):
    """RFC 8785: for integers and ASCII strings this is how Python writes them, escapes included."""
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode('ascii')

def same(one, other):
    return canonical(one) == canonical(other)  # `==` of Python takes true for 1
def digest(value, salt=None):
    return hashlib.sha256(bytes.fromhex(salt or '') + canonical(value)).hexdigest()
def keyed(key, *fields):  # H(key, label, field ...)
    parts = [str(field).encode() for field in fields]
    return hmac.new(key, b''.join(len(part).to_bytes(4, 'big') + part for part in parts), hashlib.sha256).digest()

def picker(key, n):
    """The chance of commit n: a function that picks among k, each time from the next bytes."""
    stream = (byte for block in itertools.count() for byte in keyed(key, 'chance', n, block))
    def pick(k):
        limit = k * (256 // k) if 1 <= k <= 256 else refuse(f'a pick among {k}')
        return next(byte for byte in stream if byte < limit) % k
    return pick

class Log:
    def __init__(self, objects, maps):
        self.header, self.commits, self.maps = objects[0], objects[1:], maps
        self.findings, self.hashes, self.digests, self.hidden, self.draws = [], {}, 0, 0, 0
        self.expected, self.previous, self.at = 1, ['0' * 64], 0
        self.secret, self.key, self.cards, self.hands, self.discards = None, None, [], defaultdict(set), set()

    def demand(self, condition, reason):
        if not condition:
            self.findings.append(f'{self.where}: {reason}')

    def guarded(self, where, check, *given):
        self.where = where
        try:
            check(*given)
        except Exception as error:  # whatever a hostile log makes go wrong
            self.demand(False, f'has not the form of a {where.split()[0]} ({type(error).__name__}: {error})')

    def check(self, noted):
        self.guarded('header', self.check_header)
        for commit in self.commits:
            self.guarded(f'commit {self.expected}', self.check_commit, commit)
        self.guarded('header', lambda: self.check_head(self.header['head']['n'], self.header['head']['hash']))
        if noted:
            self.guarded('noted head', lambda: self.check_head(*noted.rpartition('-')[::2]))

    def check_head(self, n, hash):
        numbers = [str(number) for number in self.hashes if self.hashes[number] == hash]
        self.demand(numbers and str(n) in ('', *numbers), 'no commit has this hash: the log is cut off, or another')

    def check_header(self):
        """Agrees with commit 1? The secret counts if commit 1 commits to it; with the start it gives the key."""
        opened, secret = self.commits[0]['events'][0], self.commits[-1]['secret']
        if opened['type'] != 'gameOpened':
            self.where = 'commit 1'
            refuse('a first commit that opens no game')
        about = [self.header[field] for field in ('hazardLog', 'kind', 'rulesVersion')]
        self.demand(same(about, [1, opened['kind'], opened['rulesVersion']]), 'not of the game that commit 1 opens')
        if about != [1, 'conquest', 1] or any(commit['schema'] != 1 for commit in self.commits):
            raise Unreadable('only Conquest by version 1 of its rules and of the schema is known here')
        if secret and hashlib.sha256(bytes.fromhex(secret)).hexdigest() == opened['commitment']:
            self.secret = bytes.fromhex(secret)
            starts = [c['previous'] for c in self.commits if c['events'][0]['type'] == 'gameStarted']
            self.key = keyed(self.secret, 'key', *starts[:1])

    def check_commit(self, commit):
        previous, self.previous, self.expected = self.previous, [commit.get('hash')], self.expected + 1
        set(commit) == FIELDS or refuse('a field missing or too many')
        n, types = commit['n'], [event['type'] for event in commit['events']]
        self.demand(same([commit['format'], n], [1, self.expected - 1]), f'number {n} stands in its place')
        self.demand(commit['game'] == self.header.get('game'), 'it is of another game than the header')
        self.demand(commit['previous'] in previous, '`previous` is not the hash of the commit before')
        self.demand(commit['at'] >= self.at, 'it is earlier than the commit before')
        fields = {field: commit[field] for field in HASHED}
        hash = digest({**fields, 'command': commit['commandDigest'], 'events': commit['eventDigests']})
        self.demand(hash == commit['hash'], '`hash` is not that of its contents')
        self.hashes[n], self.expected, self.at = commit['hash'], n + 1, commit['at']
        self.previous.append(hash)  # a wrong `hash` has been told: the next commit may link to either
        ends = 'gameOver' in types or 'gameClosed' in types
        self.demand(ends == (commit['secret'] is not None), 'the end, and only it, has the secret')
        self.demand(not ends or commit is self.commits[-1], 'the end is not the last commit')
        self.demand(not commit['secret'] or self.secret, 'the secret is not that of the commitment in commit 1')
        self.draws += sum(kind in DRAWN for kind in types)
        self.check_contents(commit)
        if self.secret:
            (self.check_start if types[0] == 'gameStarted' else self.check_play)(commit, picker(self.key, n))

    def check_contents(self, commit):
        """The digests of all that is shown, and the salts: those of the secret, on the types that have one only."""
        values, digests = [commit['command'], *commit['events']], [commit['commandDigest'], *commit['eventDigests']]
        rows = zip(values, digests, [commit['commandSalt'], *commit['eventSalts']], strict=True)
        for index, (value, shown, salt) in enumerate(rows):
            what, field = f'event {index} ({value["type"]})', HIDDEN.get(value['type']) if index else None
            hidden = field is not None and value[field] == 'unknown'
            right = keyed(self.secret, 'salt', commit['n'], index).hex() if self.secret else salt or 'one'
            self.demand(salt == (right if field and not hidden else None), f'{what} has not the salt due to it')
            self.demand(hidden or digest(value, salt) == shown, f'{what} does not fit its digest')
            self.hidden, self.digests = self.hidden + hidden, self.digests + (not hidden)
            if value['type'] == 'battleFought':
                pairs = list(zip(*(sorted(value[side], reverse=True) for side in ('attack', 'defence'))))[:2]
                lost = [sum(a <= d for a, d in pairs), sum(a > d for a, d in pairs)]
                self.demand(same([value['attackersLost'], value['defendersLost']], lost), f'{what}: {lost} must fall')

    def check_drawn(self, commit, index, field, drawn):
        """What was drawn is what is shown; where that is hidden, it fits the digest, with the salt of the secret."""
        event, fits = commit['events'][index - 1], same(commit['events'][index - 1][field], drawn)
        if field in HIDDEN.values() and event[field] == 'unknown':
            salt = keyed(self.secret, 'salt', commit['n'], index).hex()
            fits = digest({**event, field: drawn}, salt) == commit['eventDigests'][index - 1]
        self.demand(fits, f'event {index}: `{field}` is {event[field]}, the chance gives {drawn}')

    def check_start(self, commit, pick):
        """Draws the set-up as the document says, and compares it with what the events show."""
        shown = {event['type']: event for event in commit['events']}
        board, count, drawn = shown['boardLaid'], min(shown['gameStarted']['commanders'], 6), {}
        path = self.maps / f'{Path(board["map"]).name}.json'
        map = json.loads(path.read_bytes()) if path.is_file() else {}
        if map.get('version') != board['mapVersion']:
            raise Unreadable(f'no map {path}, version {board["mapVersion"]}')
        territories = [territory['id'] for territory in map['territories']]
        self.cards, contenders, rolls = [*territories, 'wild-1', 'wild-2'], list(range(1, count + 1)), []
        while len(contenders) > 1:
            rolls.append([{'seat': seat, 'die': 1 + pick(6)} for seat in contenders])
            contenders = [roll['seat'] for roll in rolls[-1] if roll['die'] == max(r['die'] for r in rolls[-1])]
        order, free = [(contenders[0] - 1 + place) % count + 1 for place in range(count)], list(territories)
        drawn['turnOrderRolled'] = {'rolls': rolls, 'order': order}
        if count == 2:
            while len(free) > 2 * (7 * len(territories) // 20):
                free.pop(pick(len(free)))
            drawn['garrisonPlaced'] = {'territories': [t for t in territories if t not in free]}
        if self.commits[0]['events'][0]['options']['setup'] == 'deal':
            even, odd, hands = len(free) - len(free) % count, len(free) % count, {seat: [] for seat in order}
            for d in range(len(free)):
                seat = order[d % count if d < even else count - odd + d - even]
                hands[seat] = sorted([*hands[seat], free.pop(pick(len(free)))], key=territories.index)
            drawn['territoriesDealt'] = {'hands': [{'seat': s, 'territories': hand} for s, hand in hands.items()]}
            grants = shown.get('handicapGranted', {'grants': []})['grants']
            granted, armies = {grant['seat']: grant['armies'] for grant in grants}, dict.fromkeys(territories, 0)
            for seat, hand in hands.items():
                for _ in range(min(board['armies'] + granted.get(seat, 0) - len(hand), 10000)):
                    armies[hand[pick(len(hand))]] += 1
            drawn['armiesDealt'] = {'placements': [{'territory': t, 'armies': a} for t, a in armies.items() if a]}
        types = [event['type'] for event in commit['events'] if event['type'] in DRAWN]
        self.demand(types == list(drawn), f'the start does not draw {list(drawn)}')
        for index, event in enumerate(commit['events'], 1):
            for field, value in drawn.get(event['type'], {}).items():
                self.check_drawn(commit, index, field, value)

    def check_play(self, commit, pick):
        """Draws dice and cards in the order of the events; a set of cards for each seat, and one for the discards."""
        for index, event in enumerate(commit['events'], 1):
            kind, hand = event['type'], self.hands[event.get('seat')]
            left = [card for card in self.cards if card not in self.discards.union(*self.hands.values())]
            self.demand(kind not in DEALT, f'event {index} ({kind}) belongs into the start')
            if kind == 'battleFought':
                for side in ('attack', 'defence'):
                    self.check_drawn(commit, index, side, [1 + pick(6) for _ in event[side]])
            elif kind in HIDDEN:  # a card from those left, or all cards of the loser
                drawn = left[pick(len(left))] if kind == 'cardDrawn' else None
                taken = [drawn] if drawn else sorted(self.hands.pop(event['rival'], ()), key=self.cards.index)
                hand.update(taken)
                self.check_drawn(commit, index, HIDDEN[kind], drawn or taken)
            elif kind in ('setTraded', 'commanderResigned'):
                gone = set(event['cards'] if kind == 'setTraded' else hand)
                self.demand(gone <= hand, f'event {index}: not all these cards are in the hand')
                hand.difference_update(gone)
                self.discards.update(gone)
            elif kind == 'discardsReshuffled':
                self.demand(not left, f'event {index}: reshuffled while cards are left')
                self.discards.clear()

def verify(file, maps, noted):
    """The exit code and the lines to print for one file."""
    log = None
    try:
        log = Log(read(sys.stdin.buffer if file == '-' else Path(file).open('rb')), maps)
        log.check(noted)
    except (OSError, ValueError, Unreadable) as error:
        if not log or not log.findings:  # a map that does not exist may be what somebody changed
            return 2, [error, 'cannot be checked']
    if log.findings:
        return 1, [*log.findings, 'not sound']
    chain = f'{len(log.commits)} commits, {log.digests} digests, {log.draws} draws'
    waiting = f'these draws, all salts and {log.hidden} hidden events wait for the secret'
    return 0, [f'sound: {chain}' if log.secret else f'sound as far as it goes: {chain}; {waiting}']

if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Verifies logs of games.')
    parser.add_argument('files', nargs='+')
    parser.add_argument('--head', action='append', default=[], help='noted before, N-HASH or HASH; one for each file')
    parser.add_argument('--maps', type=Path, default=Path(__file__).resolve().parents[2] / 'shared/conquest/maps')
    given = parser.parse_intermixed_args()
    if len(given.head) not in (0, len(given.files)):
        parser.error('one --head for each file')
    heads = given.head or [None] * len(given.files)
    results = [verify(file, given.maps, noted) for file, noted in zip(given.files, heads)]
    for file, (_, lines) in zip(given.files, results):
        for line in lines:  # in ASCII: whatever a log holds, it cannot do harm to a terminal
            print((f'{file}: ' if len(given.files) > 1 else '') + ascii(str(line))[1:-1][:240])
    sys.exit(max(code for code, _ in results))
