"""Tries to reach others:  of this machine,  in the file system."""

import json
import socket
import sys

words = dict(word.split("=", 1) for word in sys.argv[1:])
port = int(words["port"])


def datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.sendto(b"x", ("127.0.0.1", port))


def local():
    with socket.socket(socket.AF_UNIX) as opened:
        opened.connect(words["address"])


def listen():
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        opened.listen()


attempts = {
    "connection": lambda: socket.create_connection(("127.0.0.1", port), 1).close(),
    "datagram": datagram,
    "local": local,
    "listen": listen,
    "routes": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
}

input()
print(json.dumps({"type": "ready"}), flush=True)
question = json.loads(input())
escaped = []
for name, attempt in attempts.items():
    try:
        attempt()
        escaped.append(name)
    except OSError as refusal:
        print(refusal, file=sys.stderr)
if escaped:
    sys.exit(f"escaped: {', '.join(escaped)}")
print(json.dumps({"move": question["legal"][0]}))
