#!/usr/bin/env python3
"""Verifies logs of games, written from docs/log-format.md alone: python3 verify.py [--head N-HASH] [--maps folder] log.ndjson

Prints a line for each finding, then one verdict; `-` reads standard input. Exit 0: sound, 1: not sound, 2: cannot be read or checked.
With several files each line begins with the file's name, and --head is given once for each file, in the same order.
"""
import argparse, hashlib, hmac, json, re, sys
from pathlib import Path

SAFE = 2**53 - 1
HEX64 = re.compile('[0-9a-f]{64}')
HIDDEN = {'cardDrawn': 'card', 'handTaken': 'cards'}  # the salted types of events, and the field a redacted log hides
# What a field must be; the types of Python are meant exactly, for there True is an integer.
KINDS = {
    'int': lambda v: type(v) is int, 'bool': lambda v: type(v) is bool, 'str': lambda v: type(v) is str,
    'list': lambda v: type(v) is list, 'dict': lambda v: type(v) is dict, 'one': lambda v: type(v) is int and v == 1,
    'count': lambda v: type(v) is int and v >= 1, 'version': lambda v: type(v) is int and v >= 0,
    'hex': lambda v: type(v) is str and bool(HEX64.fullmatch(v)), 'hex?': lambda v: v is None or KINDS['hex'](v),
    'member': lambda v: type(v) is str and bool(re.fullmatch('[0-9a-f]{32}', v)),
    'by': lambda v: v == 'server' or KINDS['member'](v), 'name': lambda v: type(v) is str and bool(re.fullmatch('[a-z0-9_-]{8,64}', v)),
    'game': lambda v: type(v) is str and bool(re.fullmatch('[a-z2-7]{20}', v)), 'list?': lambda v: v == 'unknown' or type(v) is list,
    'command': lambda v: type(v) is dict and type(v.get('type')) is str,
    'events': lambda v: type(v) is list and v != [] and all(map(KINDS['command'], v)),
    'hexes': lambda v: type(v) is list and all(map(KINDS['hex'], v)), 'hexes?': lambda v: type(v) is list and all(map(KINDS['hex?'], v)),
    'dice': lambda v: type(v) is list and 1 <= len(v) <= 3 and all(type(d) is int and 1 <= d <= 6 for d in v),
}
HEADER = 'hazardLog:one game:game kind:str rulesVersion:count head:dict'
COMMIT = ('format:one schema:version game:game n:count at:int by:by commandId:name command:command events:events previous:hex seal:hex '
          'secret:hex? hash:hex commandDigest:hex commandSalt:hex? eventDigests:hexes eventSalts:hexes?')
HASHED = 'format schema game n at by commandId command events previous seal secret'.split()
EVENTS = {
    'gameOpened': 'kind:str options:dict seats:int visibility:str rulesVersion:int invitation:hex? key:str commitment:hex',
    'seatTaken': 'seat:int member:member', 'seatLeft': 'seat:int', 'gameStarted': 'commanders:int', 'gameClosed': 'reason:str',
    'boardLaid': 'map:str mapVersion:int armies:int', 'turnOrderRolled': 'rolls:list order:list', 'handicapGranted': 'grants:list',
    'garrisonPlaced': 'territories:list armies:int', 'territoriesDealt': 'hands:list', 'armiesDealt': 'placements:list',
    'claimAwaited': 'seat:int step:int', 'territoryClaimed': 'seat:int territory:str', 'placementAwaited': 'seat:int step:int armies:int',
    'turnBegan': 'seat:int turn:int round:int territories:int regions:list armies:int',
    'setTraded': 'seat:int cards:list armies:int set:int', 'armiesDeployed': 'seat:int placements:list',
    'battleFought': 'seat:int origin:str target:str rival:int attack:dice defence:dice attackersLost:int defendersLost:int',
    'territoryConquered': 'seat:int origin:str territory:str rival:int dice:int', 'commanderEliminated': 'seat:int by:int',
    'handTaken': 'seat:int rival:int cards:list? count:int', 'territoryOccupied': 'seat:int origin:str territory:str armies:int',
    'armiesFortified': 'seat:int origin:str destination:str armies:int', 'discardsReshuffled': 'count:int',
    'cardDrawn': 'seat:int card:str', 'turnEnded': 'seat:int', 'turnMissed': 'seat:int misses:int', 'commanderReturned': 'seat:int',
    'commanderResigned': 'seat:int missed:bool', 'gameOver': 'ranking:list ending:str',
}

class Unreadable(Exception):
    """The input is no log, or a map file is missing: nothing can be said about it."""

def misfits(value, shape):
    """The names of fields that are missing, too many or of a wrong type."""
    fields = dict(part.split(':') for part in shape.split())
    return sorted((set(value) ^ set(fields)) | {f for f, kind in fields.items() if f in value and not KINDS[kind](value[f])})

def number(text):
    value = float(text) if len(text) < 400 else float('inf')
    if value != value or abs(value) > SAFE or value != int(value):
        raise ValueError('a number that is no safe integer')
    return int(value)

def record(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key stands twice in an object')
    return dict(pairs)

def no_number(text):
    raise ValueError(text + ' is no JSON')

def read(data):
    """The objects of a log's lines. JSON as such; what each line must hold is checked later."""
    if not data.strip():
        raise Unreadable('it is empty')
    objects = []
    for line in [part for part in data.split(b'\n') if part.strip()]:
        where = f'commit {len(objects)}' if objects else 'header'
        try:
            value = json.loads(line.decode('utf-8'), object_pairs_hook=record, parse_int=number, parse_float=number, parse_constant=no_number)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f'{where}: not a line of JSON: {ascii(str(error))[1:-1][:120]}')
        if type(value) is not dict:
            raise Unreadable(f'{where}: not an object')
        objects.append(value)
    if objects[0].get('hazardLog') != 1 or len(objects) < 2:
        raise Unreadable('header: no header of a log (`hazardLog` is not 1)' if len(objects) > 1 else 'it has no commits')
    if not data.endswith(b'\n'):
        raise Unreadable(f'commit {len(objects) - 1}: the line has no end')
    return objects

def canonical(value, depth=1):
    """RFC 8785 for what logs may hold; ValueError for anything else."""
    if depth > 33 or (depth > 32 and type(value) in (dict, list)):
        raise ValueError('nested deeper than 32')
    if type(value) is str and not value.isascii():
        raise ValueError('a string that is not ASCII')
    if type(value) is dict:
        return '{' + ','.join(canonical(k, depth) + ':' + canonical(value[k], depth + 1) for k in sorted(value)) + '}'
    if type(value) is list:
        return '[' + ','.join(canonical(v, depth + 1) for v in value) + ']'
    return json.dumps(value, ensure_ascii=False)  # escapes what the document says, and leaves U+007F alone

def digest(value, salt=None):
    return hashlib.sha256(bytes.fromhex(salt or '') + canonical(value).encode()).hexdigest()

def same(one, other):
    return canonical(one) == canonical(other)  # `==` of Python takes true for 1

def keyed(key, *fields):
    """H(key, label, field ...)"""
    parts = [str(field).encode() for field in fields]
    return hmac.new(key, b''.join(len(p).to_bytes(4, 'big') + p for p in parts), hashlib.sha256).digest()

class Chance:
    """The picks of one commit; without a key (while the game runs) there are none."""
    def __init__(self, key, n):
        self.bytes = key and (byte for c in range(SAFE) for byte in keyed(key, 'chance', n, c))

    def pick(self, k):
        return next(byte for byte in self.bytes if byte < k * (256 // k)) % k

class Log:
    def __init__(self, objects, maps):
        self.header, self.commits, self.maps = objects[0], objects[1:], maps
        self.findings, self.where, self.hashes = [], 'header', {}
        self.counts = dict.fromkeys(['digests', 'hidden', 'dice', 'cards', 'dealt'], 0)
        self.secret = self.key = self.map = None
        self.committed = True
        self.members, self.options, self.ended, self.described = [], {}, False, True
        self.hands, self.discards, self.sets, self.conquered, self.cards_known = {}, set(), 0, False, True

    def demand(self, condition, reason):
        if not condition:
            self.findings.append(f'{self.where}: {reason}')
        return condition

    def check(self, noted=None):
        bad = misfits(self.header, HEADER)
        self.demand(not bad, 'fields missing, unknown or of a wrong type: ' + ascii(bad))
        self.opening()
        expected, previous, at = 1, ['0' * 64], None
        for commit in self.commits:
            self.where = f'commit {expected}'
            bad = misfits(commit, COMMIT)
            if not self.demand(not bad, 'fields missing, unknown or of a wrong type: ' + ascii(bad)):
                expected, previous, at = expected + 1, [commit.get('hash')], None
                continue
            n = commit['n']
            self.demand(n == expected, f'number {n} stands in its place')
            self.demand(commit['game'] == self.header.get('game'), 'it is of another game than the header')
            self.demand(commit['previous'] in previous, '`previous` is not the hash of the commit before')
            self.demand(at is None or commit['at'] >= at, 'it is earlier than the commit before')
            self.demand(not self.ended, 'it comes after the end of the game')
            computed = digest({**{f: commit[f] for f in HASHED}, 'command': commit['commandDigest'], 'events': commit['eventDigests']})
            self.demand(computed == commit['hash'], '`hash` is not that of its contents')
            self.hashes[n] = commit['hash']
            self.contents(commit)
            # A wrong `hash` has been told: the next commit may link to what it says or to what it should be.
            expected, previous, at = n + 1, [commit['hash'], computed], commit['at']
        self.demand(self.committed, 'the secret is not that of the commitment in commit 1')
        self.where = 'header'
        self.head(self.header.get('head'), 'its head')
        if noted:
            self.where = 'noted head'
            n, _, hash = noted.rpartition('-')
            self.demand(hash in self.hashes.values(), 'no commit has this hash: the log is cut off or another') if not n else self.head(
                {'n': int(n), 'hash': hash}, 'it')

    def head(self, head, name):
        if self.demand(type(head) is dict and not misfits(head, 'n:count hash:hex'), f'{name} is no number and hash'):
            self.demand(head['n'] in self.hashes, f'{name} is commit {head["n"]}, which the log has not: it is cut off') and self.demand(
                self.hashes[head['n']] == head['hash'], f'{name} gives another hash for commit {head["n"]}')

    def opening(self):
        """What commit 1 says of the game, the secret in the last commit, if it is the one committed to, and the chance key."""
        opened, last = self.commits[0].get('events') or [0], self.commits[-1].get('secret')
        opened = opened[0] if type(opened) is list and type(opened[0]) is dict else {}
        self.demand(all(opened.get(f) == self.header.get(f) for f in ('kind', 'rulesVersion')), 'its kind and rulesVersion are not those of commit 1')
        self.described = opened.get('kind') == 'conquest' and opened.get('rulesVersion') == 1
        if KINDS['hex'](last):
            self.committed = hashlib.sha256(bytes.fromhex(last)).hexdigest() == opened.get('commitment')
            self.secret = bytes.fromhex(last) if self.committed else None
        for commit in self.commits:
            if self.secret and not self.key and not misfits(commit, COMMIT) and commit['events'][0]['type'] == 'gameStarted':
                self.key = keyed(self.secret, 'key', commit['previous'])

    def contents(self, commit):
        """Digests and salts of what is shown, then what the events say."""
        n, events, command, by = commit['n'], commit['events'], commit['command'], commit['by']
        if not self.demand(len(events) == len(commit['eventDigests']) == len(commit['eventSalts']), 'not a digest and a salt for each event'):
            return
        self.described = described = self.described and commit['schema'] == 1  # other games and versions: chain and digests alone
        rows = zip([command, *events], [commit['commandDigest'], *commit['eventDigests']], [commit['commandSalt'], *commit['eventSalts']])
        for index, (value, shown, salt) in enumerate(rows):
            what = f'event {index} ({ascii(value["type"])[1:-1]})' if index else 'the command'
            field = HIDDEN.get(value['type']) if index and described else None
            hidden = bool(field) and value.get(field) == 'unknown'
            if described:
                self.demand((salt is None) == (not field or hidden), f'{what} has a salt' if salt else f'{what} has no salt')
            if salt and self.secret:
                self.demand(salt == keyed(self.secret, 'salt', n, index).hex(), f'the salt of {what} is not that of the secret')
            try:
                ok = self.demand(hidden or digest(value, salt) == shown, f'{what} does not fit its digest')
                self.counts['hidden' if hidden else 'digests'] += 1 if ok else 0
                hidden and canonical(value)
            except ValueError as error:
                self.demand(False, f'{what} holds {error}')
            if index and described:
                shape = EVENTS.get(value['type'])
                bad = ['type'] if shape is None else misfits(value, shape + ' type:str')
                self.demand(not bad, f'{what} has fields missing, unknown or of a wrong type: {ascii(bad)}')
        ends = [event['type'] for event in events if event['type'] in ('gameOver', 'gameClosed')]
        self.ended = self.ended or bool(ends)
        self.demand(bool(ends) == (commit['secret'] is not None), 'the secret is there before the end' if not ends else 'the end is without the secret')
        if not described:
            return
        self.chance, self.drawn = Chance(self.key, n), False
        kind, seated = command['type'], self.members
        self.demand((kind == 'expire') <= (by == 'server') <= (kind in ('expire', 'start')), 'the command is not one of its sender')
        self.demand(by == 'server' or kind in ('open', 'join') or by in seated, 'its sender has no seat')
        self.demand(kind != 'start' or by in ['server', *seated[:1]], 'the start is not by seat 1')
        self.demand((n == 1) == (events[0]['type'] == 'gameOpened') == (kind == 'open'), 'commit 1 and no other opens the game')
        for index, event in enumerate(events):
            handler = getattr(self, 'on_' + event['type'], None) if event['type'] in EVENTS else None
            try:
                handler and handler(event, commit, index)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration, ZeroDivisionError):
                self.demand(False, f'event {index + 1} ({event["type"]}) is not of the shape described')

    # What the events say. Picks come in the order of the events, so each handler takes its own; `self.key` is None while the game runs.

    def on_gameOpened(self, event, commit, index):
        self.options = event['options']
        self.demand(commit['n'] == 1 and [e['type'] for e in commit['events']] == ['gameOpened', 'seatTaken'], 'not just the opening of a game')
        same = all(event[f] == commit['command'].get(f) for f in ('kind', 'options', 'seats', 'visibility'))
        self.demand(same and commit['command']['type'] == 'open', 'what is opened is not what the command says')

    def on_seatTaken(self, event, commit, index):
        self.members.append(event['member'])
        self.demand(event['seat'] == len(self.members) and event['member'] == commit['by'], 'not the next seat, or another member')

    def on_seatLeft(self, event, commit, index):
        self.demand(self.members.pop(event['seat'] - 1) == commit['by'], 'the seat is not that of the member who leaves')

    def on_gameStarted(self, event, commit, index):
        self.demand(index == 0 and event['commanders'] == len(self.members) and not self.map, 'not as many commanders as have seats')
        self.places = len(self.members)
        wanted = ['gameStarted', 'boardLaid', 'turnOrderRolled']
        wanted += ['garrisonPlaced'] if self.places == 2 else []
        wanted += ['territoriesDealt', 'armiesDealt'] if self.options['setup'] == 'deal' else []
        types = [e['type'] for e in commit['events'] if e['type'] != 'handicapGranted']  # it takes no pick
        self.demand(types[:len(wanted)] == wanted, 'not the set-up events of this game in their order')

    def on_boardLaid(self, event, commit, index):
        name = event['map']
        path = self.maps / f'{name}.json'
        try:
            map = json.loads(path.read_bytes()) if re.fullmatch('[a-z0-9-]{1,40}', name) else {}
            territories = [t['id'] for t in map['territories']] if map.get('version') == event['mapVersion'] else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            territories = None
        if not territories:
            raise Unreadable(f'{self.where}: no map file {ascii(name)[1:-1]} of version {event["mapVersion"]} in {self.maps}')
        self.map, self.armies, self.grants = territories, event['armies'], {}
        self.bastions = {t['id'] for t in map['territories'] if t.get('bastion')} if self.options.get('bastions') is True else set()
        self.free, self.cards = list(territories), [*territories, 'wild-1', 'wild-2']

    def die(self, shown, what):
        self.counts['dice'] += 1
        if self.key:
            computed = 1 + self.chance.pick(6)
            self.demand(same(computed, shown), f'{what} shows {shown!a}, the chance gives {computed}')

    def on_turnOrderRolled(self, event, commit, index):
        contenders = list(range(1, self.places + 1))
        for rolls in event['rolls']:
            if not self.demand(same([r['seat'] for r in rolls], contenders) and len(contenders) > 1, 'a round of rolls is not by those who are tied'):
                return
            for roll in rolls:
                self.die(roll['die'], f'the roll of seat {roll["seat"]!a}')
            contenders = [r['seat'] for r in rolls if r['die'] == max(r['die'] for r in rolls)]
        self.order = [(contenders[0] - 1 + i) % self.places + 1 for i in range(self.places)]
        self.demand(len(contenders) == 1 and same(event['order'], self.order), 'the order does not follow from the rolls')

    def on_handicapGranted(self, event, commit, index):
        self.grants = {grant['seat']: grant['armies'] for grant in event['grants']}

    def on_garrisonPlaced(self, event, commit, index):
        if self.key:
            while len(self.free) > 2 * (7 * len(self.map) // 20):
                self.free.pop(self.chance.pick(len(self.free)))
                self.counts['dealt'] += 1
            taken = [t for t in self.map if t not in self.free]
            self.demand(same(event['territories'], taken), 'the garrison stands elsewhere than the chance gives')

    def on_territoriesDealt(self, event, commit, index):
        if self.key:
            total, odd, hands = len(self.free), len(self.free) % self.places, {seat: [] for seat in self.order}
            for d in range(total):
                place = d % self.places if d < total - odd else self.places - odd + d - (total - odd)
                hands[self.order[place]].append(self.free.pop(self.chance.pick(len(self.free))))
                self.counts['dealt'] += 1
            self.dealt = {seat: sorted(hand, key=self.map.index) for seat, hand in hands.items()}
            wanted = [{'seat': seat, 'territories': hand} for seat, hand in self.dealt.items()]
            self.demand(same(event['hands'], wanted), 'the territories are dealt otherwise than the chance gives')

    def on_armiesDealt(self, event, commit, index):
        if self.key:
            standing = dict.fromkeys(self.map, 0)
            for seat, hand in self.dealt.items():
                armies = self.armies + self.grants.get(seat, 0) - len(hand)
                if armies > 10000:
                    raise ValueError('more armies than any game has')
                for _ in range(armies):
                    standing[hand[self.chance.pick(len(hand))]] += 1
                    self.counts['dealt'] += 1
            wanted = [{'territory': t, 'armies': a} for t, a in standing.items() if a]
            self.demand(same(event['placements'], wanted), 'the armies stand otherwise than the chance gives')

    def on_battleFought(self, event, commit, index):
        attack, defence, command = event['attack'], event['defence'], commit['command']
        self.demand(command['type'] in ('attack', 'assault'), 'a battle without an attack')
        self.demand(command['type'] != 'attack' or len(attack) == command['dice'], 'not the dice the command says')
        self.demand(len(defence) < 3 or not self.map or event['target'] in self.bastions, 'three dice defend what is no Bastion')
        for what, dice in ((f'event {index + 1}, attack: die', attack), (f'event {index + 1}, defence: die', defence)):
            for i, die in enumerate(dice):
                self.die(die, f'{what} {i + 1}')
        pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True)))[:2]
        fallen = sum(a > d for a, d in pairs)
        self.demand((event['defendersLost'], event['attackersLost']) == (fallen, len(pairs) - fallen), 'the losses do not follow from the dice')

    def on_turnBegan(self, event, commit, index):
        self.conquered = False

    def on_territoryConquered(self, event, commit, index):
        self.conquered = True

    # The cards: a set for each seat, and the discards. After the first card that is wrong the later ones are not looked at.

    def card(self, condition, reason):
        self.cards_known = bool(self.demand(condition, reason)) and self.cards_known

    def left(self):
        return [c for c in self.cards if c not in self.discards and not any(c in hand for hand in self.hands.values())]

    def opened(self, event, commit, index, field, value):
        """What a redacted event must have held, once the secret is out, fits its digest."""
        if event[field] == 'unknown':
            salt = keyed(self.secret, 'salt', commit['n'], index + 1).hex()
            self.card(digest({**event, field: value}, salt) == commit['eventDigests'][index], 'the hidden cards do not fit their digest')
            self.counts['hidden'] -= 1
            self.counts['digests'] += 1

    def on_cardDrawn(self, event, commit, index):
        self.drawn, following = True, commit['events'][index + 1:index + 2]
        self.demand(following and following[0] == {'type': 'turnEnded', 'seat': event['seat']}, 'a card is drawn and the turn goes on')
        self.demand(commit['command']['type'] in ('endTurn', 'fortify', 'expire') and self.conquered, 'a card is drawn that was not earned')
        if self.key and self.cards_known:
            left = self.left()
            self.card(left, 'a card is drawn, but none is left')
            drawn = left[self.chance.pick(len(left))]
            self.counts['cards'] += 1
            self.card(event['card'] in (drawn, 'unknown'), f'the card is {ascii(event["card"])[1:-1]}, the chance gives {drawn}')
            self.opened(event, commit, index, 'card', drawn)
            self.hands.setdefault(event['seat'], set()).add(drawn)

    def on_setTraded(self, event, commit, index):
        self.sets += 1
        self.demand(event['set'] == self.sets and len(set(event['cards'])) == 3, 'not three cards, or not the next set')
        if self.key and self.cards_known:
            self.card(set(event['cards']) <= self.hands.get(event['seat'], set()), 'cards are traded that are not in the hand')
            self.hands.get(event['seat'], set()).difference_update(event['cards'])
            self.discards.update(event['cards'])

    def on_handTaken(self, event, commit, index):
        if self.key and self.cards_known:
            hand = self.hands.pop(event['rival'], set())
            shown = event['cards'] == 'unknown' or (set(event['cards']) == hand and len(event['cards']) == len(hand))
            self.card(shown and event['count'] == len(hand), 'not the cards of the loser are taken')
            self.opened(event, commit, index, 'cards', sorted(hand, key=self.cards.index))
            self.hands.setdefault(event['seat'], set()).update(hand)

    def on_commanderResigned(self, event, commit, index):
        self.discards |= self.hands.pop(event['seat'], set())

    def on_discardsReshuffled(self, event, commit, index):
        if self.key and self.cards_known:
            self.card(not self.left() and event['count'] == len(self.discards) > 0, 'reshuffled while cards are left, or not all discards')
        self.discards = set()
        self.demand([e['type'] for e in commit['events'][index + 1:index + 2]] == ['cardDrawn'], 'reshuffled, but no card is drawn')

    def on_turnEnded(self, event, commit, index):
        if self.key and self.cards_known and self.conquered and not self.drawn:
            self.demand(not self.left() and not self.discards, 'a card was earned and is not drawn')

def verify(source, maps, noted):
    """The exit code and the lines to print for one file."""
    log = None
    try:
        data = sys.stdin.buffer.read() if source == '-' else Path(source).read_bytes()
        log = Log(read(data), maps)
        log.check(noted)
    except Unreadable as error:
        found = log.findings if log else []  # a map that does not exist may be what somebody changed
        return (1, [*found, f'{error}', 'not sound']) if found else (2, [f'{error}', 'cannot be checked'])
    except (OSError, ValueError, RecursionError) as error:
        return 2, [f'cannot be read: {ascii(str(error))[1:-1]}', 'cannot be checked']
    if log.findings:
        return 1, [*log.findings, f'not sound: {len(log.findings)} finding(s)']
    c, n = log.counts, len(log.commits)
    chain = f'{n} commits, {c["digests"]} digests'
    if not log.described:
        return 0, [f'sound as far as this program knows: {chain}; no such game or version is described, so no chance was checked']
    if log.secret:
        return 0, [f'sound: {chain} and salts, {c["dice"]} dice, {c["dealt"]} picks of the set-up, {c["cards"]} cards; seals taken as they stand']
    return 0, [f'sound as far as it goes: {chain}; without the end of the game {c["dice"]} dice, the cards, salts and {c["hidden"]} hidden events wait for the secret']

def main():
    parser = argparse.ArgumentParser(description='Verifies logs of games.')
    parser.add_argument('files', nargs='+')
    parser.add_argument('--head', action='append', default=[], help='a head noted elsewhere, N-HASH or HASH; one for each file')
    parser.add_argument('--maps', type=Path, default=Path(__file__).resolve().parents[2] / 'shared' / 'conquest' / 'maps')
    given = parser.parse_intermixed_args()
    if not all(re.fullmatch('([1-9][0-9]{0,14}-)?[0-9a-f]{64}', head) for head in given.head):
        parser.error('a head is N-HASH or HASH')
    if given.head and len(given.head) != len(given.files):
        parser.error('one --head for each file')
    sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace')
    worst = 0
    for index, source in enumerate(given.files):
        code, lines = verify(source, given.maps, given.head[index] if given.head else None)
        worst = max(worst, code)
        for line in lines:
            print(f'{source}: {line}' if len(given.files) > 1 else line)
    sys.exit(worst)

if __name__ == '__main__':
    main()
