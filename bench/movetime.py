#!/usr/bin/env python3
"""How late timed moves come: an engine that speaks UGI with seats plays whole games against itself, and the time from
`go movetime` to `bestmove` is taken here, on the other side of the pipe. Prints milliseconds over the time allowed.

    bench/movetime.py [--moves 1000] [--movetime 50] -- build/release/polymax engine othello
"""

import argparse
import subprocess
import time


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        for line in self.process.stdout:
            if line.startswith("error"):
                raise SystemExit(f"the engine says: {line.strip()}")
            if line.split(" ", 1)[0].strip() == word:
                return line.split()
        raise SystemExit(f"the engine ended where '{word}' was wanted")

    def ask(self, line, word):
        self.tell(line)
        return self.until(word)


def overruns(engine, moves, movetime):
    out, played = [], []
    while len(out) < moves:
        engine.tell("position startpos" + (" moves " + " ".join(played) if played else ""))
        if engine.ask("query gameover", "response")[1] == "true":
            played = []
            engine.tell("uginewgame")
            engine.ask("isready", "readyok")
            continue
        begin = time.monotonic()
        move = engine.ask(f"go movetime {movetime}", "bestmove")[1]
        out.append(1000 * (time.monotonic() - begin) - movetime)
        played.append(move)
    return sorted(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--movetime", type=int, default=50, help="milliseconds")
    parser.add_argument("command", nargs="+")
    asked = parser.parse_args()
    engine = Engine(asked.command)
    engine.ask("ugi", "ugiok")
    engine.ask("isready", "readyok")
    over = overruns(engine, asked.moves, asked.movetime)
    engine.tell("quit")
    share = lambda part: over[min(len(over) - 1, int(len(over) * part))]  # noqa: E731
    late = sum(x > 0 for x in over)
    print(
        f"{len(over)} moves at {asked.movetime} ms, over by: median {share(0.5):.2f} ms, "
        f"99 of 100 {share(0.99):.2f} ms, longest {over[-1]:.2f} ms; {late} came late"
    )


if __name__ == "__main__":
    main()
