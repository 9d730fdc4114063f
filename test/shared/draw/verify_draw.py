"""A second verifier of Sira's draw, written from shared/draw/README.md alone, with Python's standard
library only. It shares no line with the TypeScript one, so that a mistake in the specification or
in either program shows as a disagreement.

  verify_draw.py vectors FILE
  verify_draw.py evidence FILE [--index N] [--number N] [--place ID] [--every]

Prints JSON, {"ok": ..., "checks": [{"id": ..., "result": ...}], "number": ...}, and exits 0 or 1.
The beacon's BLS signature is out of its scope (the standard library has no pairings): that check has
the result "unchecked", and the value itself is taken as SHA-256 of the signature as given.
"""

import argparse
import hashlib
import hmac
import json
import sys
from datetime import datetime, timezone

ROUNDS = 16
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
ZEROS = bytes(32)

STATEMENTS = {
    "none": "Steerable by the organizer: this draw used no public beacon. Whoever ran the room knew the seed while people joined, and could work out the result of closing the pool at any moment.",
    "without": "Steerable by the organizer: the public beacon was announced but not used. An operator went on without it, knowing the result of going on.",
    "announced_late": "Steerable by the organizer: the beacon's round was announced only when it was public, so it could be chosen by its result.",
    "published_late": "Steerable by the organizer: the pool was published only after the beacon's round was public, so the result of changing the pool could be known.",
    "redrawn": "Steerable by the organizer: an earlier draw of this event was abandoned when its result could be known, so a result could be thrown away.",
    "beacon": "Not steerable by the organizer: the seed was committed to before anybody joined, the pool was published before the beacon's round, and the beacon could not be known before that.",
}


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def uint(value, size):
    return value.to_bytes(size, "big")


def draw_key(seed, beacon, event, epoch, count):
    name = event.encode("utf-8")
    return sha256(seed, beacon, uint(len(name), 1), name, uint(epoch, 4), uint(count, 4))


class Permutation:
    def __init__(self, key, size):
        self.key, self.size = key, size
        width = max(8, (size - 1).bit_length())
        self.high_bits = width // 2
        self.low_bits = width - self.high_bits
        self.known = {}

    def function(self, round_, half):
        found = self.known.get((round_, half))
        if found is None:
            digest = hmac.digest(self.key, uint(round_, 1) + uint(half, 4), "sha256")
            found = self.known[(round_, half)] = int.from_bytes(digest[:4], "big")
        return found

    def one_pass(self, value, rounds):
        high, low = value >> self.low_bits, value & ((1 << self.low_bits) - 1)
        for round_ in rounds:
            if round_ % 2 == 0:
                high ^= self.function(round_, low) % (1 << self.high_bits)
            else:
                low ^= self.function(round_, high) % (1 << self.low_bits)
        return high << self.low_bits | low

    def walk(self, value, rounds):
        value = self.one_pass(value, rounds)
        while value >= self.size:
            value = self.one_pass(value, rounds)
        return value

    def number_of(self, index):
        return self.walk(index, range(ROUNDS)) + 1

    def index_of(self, number):
        return self.walk(number - 1, range(ROUNDS - 1, -1, -1))


def leaf_hash(index, place_hash):
    return sha256(b"\x00", uint(index, 4), place_hash)


def node_hash(left, right):
    return sha256(b"\x01", left, right)


def pool_root(size, top):
    return sha256(b"\x02", uint(size, 4), top)


def top_of(leaves):
    if not leaves:
        return sha256()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(top_of(leaves[:split]), top_of(leaves[split:]))


def root_of_proof(size, proof):
    at, last = proof["index"], size - 1
    if not 0 <= at <= last:
        return None
    result = leaf_hash(at, bytes.fromhex(proof["placeHash"]))
    for sibling in map(bytes.fromhex, proof["path"]):
        if last == 0:
            return None
        if at % 2 == 1 or at == last:
            result = node_hash(sibling, result)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            result = node_hash(result, sibling)
        at, last = at // 2, last // 2
    return pool_root(size, result) if last == 0 else None


def chain_hash(chain):
    return sha256(
        uint(chain["periodSeconds"], 4),
        chain["genesisSeconds"].to_bytes(8, "big", signed=True),
        bytes.fromhex(chain["publicKey"]),
        bytes.fromhex(chain["groupHash"]),
        chain["beaconId"].encode("utf-8"),
    ).hex()


def instant_ms(text):
    moment = datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)
    return (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() * 1000


def due_ms(chain, round_):
    return (chain["genesisSeconds"] + (round_ - 1) * chain["periodSeconds"]) * 1000


def round_for(chain, opens_at):
    due_after = instant_ms(opens_at) + 15_000
    passed = due_after - chain["genesisSeconds"] * 1000
    return max(1, 1 + int(-(-passed // (chain["periodSeconds"] * 1000))))


def statement_of(evidence):
    beacon, pool = evidence["beacon"], evidence["pool"]
    if beacon["kind"] == "none":
        return "none"
    if "without" in beacon:
        return "without"
    public = due_ms(beacon["chain"], beacon["round"])
    if instant_ms(beacon["announcedAt"]) >= public:
        return "announced_late"
    if instant_ms(pool["publishedAt"]) >= public:
        return "published_late"
    if any(epoch["state"] != "committed" for epoch in evidence["abandoned"]):
        return "redrawn"
    return "beacon"


class Report:
    def __init__(self):
        self.checks, self.number = [], None

    def add(self, id_, result):
        self.checks.append({"id": id_, "result": result})

    def check(self, id_, holds, otherwise="failed"):
        self.add(id_, "passed" if holds else otherwise)
        return holds


def check_round(report, evidence):
    beacon, pool = evidence["beacon"], evidence["pool"]
    if beacon["kind"] == "none":
        return
    report.check("round", beacon["round"] == round_for(beacon["chain"], evidence["opensAt"]))
    signature = beacon.get("signature")
    if "without" in beacon:
        report.add("beacon", "failed" if signature else "note")
        return
    report.add("signature", "unchecked" if signature else "failed")
    if signature:
        due = due_ms(beacon["chain"], beacon["round"])
        report.check("published", instant_ms(pool["publishedAt"]) < due, "note")


def check_evidence(evidence, index=None, number=None, place=None, every=False):
    report = Report()
    if not report.check("format", evidence.get("format") == "sira-draw-1"):
        return report
    beacon = evidence["beacon"]
    if beacon["kind"] == "drand":
        if report.check("chain", chain_hash(beacon["chain"]) == beacon["chain"]["hash"]):
            report.check("known_chain", beacon["chain"]["hash"] == QUICKNET, "note")
    for _ in evidence["abandoned"]:
        report.add("abandoned", "note")
    epochs = sorted(each["epoch"] for each in evidence["abandoned"])
    report.check("epochs", epochs == list(range(1, evidence["epoch"])))
    for each in evidence["abandoned"]:
        if "seed" in each and sha256(bytes.fromhex(each["seed"])).hex() != each["commitment"]:
            report.add("abandoned_seed", "failed")
    there = all(member in evidence for member in ("seed", "pool", "drawnAt"))
    if evidence["state"] != "drawn" or not there:
        report.add("drawn", "failed")
        return report
    seed, pool = bytes.fromhex(evidence["seed"]), evidence["pool"]
    report.check("commitment", sha256(seed).hex() == evidence["commitment"])
    check_round(report, evidence)
    statement = statement_of(evidence)
    steerable = statement != "beacon"
    told = (evidence.get("steerable"), evidence.get("statement"))
    true = told == (steerable, STATEMENTS[statement])
    report.add("steering", "failed" if not true else "note" if steerable else "passed")
    if pool["count"] == 0:
        report.add("empty", "note")
        return report
    value = ZEROS
    if beacon["kind"] == "drand" and "without" not in beacon and "signature" in beacon:
        value = sha256(bytes.fromhex(beacon["signature"]))
    key = draw_key(seed, value, evidence["event"], evidence["epoch"], pool["count"])
    check_numbers(report, evidence, Permutation(key, pool["count"]), index, number, place, every)
    return report


def check_numbers(report, evidence, permutation, index, number, place, every):
    size = permutation.size
    if every:
        numbers = sorted(permutation.number_of(each) for each in range(size))
        report.check("every", numbers == list(range(1, size + 1)))
    proof = evidence.get("proof")
    if index is None and number is None and proof:
        index = proof["index"]
    if index is not None:
        inside = 0 <= index < size
        if inside:
            report.number = permutation.number_of(index)
        report.check("number", inside and number in (None, report.number))
    elif number is not None:
        report.add("late" if number > size else "owner", "note")
    if proof is None:
        return
    root = root_of_proof(size, proof)
    fits = index in (None, proof["index"]) and root is not None and root.hex() == evidence["pool"]["root"]
    if not fits:
        report.add("proof", "failed")
        return
    report.add("proof", "note" if proof["placeHash"] == ZEROS.hex() else "passed")
    if place is not None:
        report.check("place", sha256(place.encode("utf-8")).hex() == proof["placeHash"])


def check_vectors(vectors):
    report = Report()
    for draw in vectors["draws"]:
        seed, beacon = bytes.fromhex(draw["seed"]), bytes.fromhex(draw["beacon"])
        count, name = draw["count"], f"draw of {draw['count']}"
        key = draw_key(seed, beacon, draw["event"], draw["epoch"], count)
        permutation = Permutation(key, count)
        report.check(f"{name}: commitment", sha256(seed).hex() == draw["commitment"])
        report.check(f"{name}: key", key.hex() == draw["key"])
        numbers = [permutation.number_of(index) for index in draw["indexes"]]
        report.check(f"{name}: numbers", numbers == draw["numbers"])
        back = [permutation.index_of(number) for number in numbers]
        report.check(f"{name}: inverse", back == draw["indexes"])
        front = [permutation.index_of(number) for number in range(1, min(10, count) + 1)]
        report.check(f"{name}: front", front == draw["front"])
        if count <= 1_000:
            joined = b"".join(uint(permutation.number_of(index), 4) for index in range(count))
            report.check(f"{name}: all numbers", sha256(joined).hex() == draw["sha256OfNumbers"])
    for tree in vectors["trees"]:
        size, name = tree["size"], f"tree of {tree['size']}"
        leaves = [
            leaf_hash(
                index,
                ZEROS if index in tree["skipped"] else sha256(f"plc_00_vector-{index}".encode()),
            )
            for index in range(size)
        ]
        report.check(f"{name}: root", pool_root(size, top_of(leaves)).hex() == tree["root"])
        for proof in tree["proofs"]:
            root = root_of_proof(size, proof)
            holds = root is not None and root.hex() == tree["root"]
            report.check(f"{name}: proof of {proof['index']}", holds)
    chain = vectors["chain"]
    report.check("chain hash", chain_hash(chain) == chain["hash"])
    for beacon in vectors["beacons"]:
        name = f"round {beacon['round']}"
        report.check(f"{name}: due", due_ms(chain, beacon["round"]) == instant_ms(beacon["due"]))
        value = sha256(bytes.fromhex(beacon["signature"])).hex()
        report.check(f"{name}: randomness", value == beacon["randomness"])
    return report


def main():
    parser = argparse.ArgumentParser(description="Verifies a draw of Sira from its evidence.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("vectors").add_argument("file")
    evidence = commands.add_parser("evidence")
    evidence.add_argument("file")
    evidence.add_argument("--index", type=int)
    evidence.add_argument("--number", type=int)
    evidence.add_argument("--place")
    evidence.add_argument("--every", action="store_true")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        document = json.load(file)
    if options.command == "vectors":
        report = check_vectors(document)
    else:
        report = check_evidence(
            document, options.index, options.number, options.place, options.every
        )
    ok = all(check["result"] != "failed" for check in report.checks)
    print(json.dumps({"ok": ok, "checks": report.checks, "number": report.number}))
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
