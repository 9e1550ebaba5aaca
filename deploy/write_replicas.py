"""Write replicas.conf, which tells nginx where the replicas are: `python deploy/write_replicas.py ADDRESS:PORT ...`."""

import re
import sys
from collections.abc import Sequence

_ADDRESS = re.compile(r"\d{1,3}(\.\d{1,3}){3}:\d{1,5}")

_FILE = """\
# Written by `python deploy/write_replicas.py {addresses}`.

# Who has no replica yet gets the one with the fewest connections, and so with the fewest visitors. One that fails
# is left alone for five seconds.
upstream any {{
    zone any 64k;
    least_conn;
{servers}
}}

# Those that may have a hall's vote, which are asked even if they have just failed: no other one may have it.
upstream votes {{
    zone votes 64k;
{voting}
}}

# The replica that a visitor's cookie names.
map $cookie_embedviz_replica $replica {{
    default any;
{targets}
}}

# The number of the replica that answered, which is the last of those that were asked.
map $upstream_addr $answered_by {{
    volatile;
    default "";
{numbers}
}}
"""


def configuration(addresses: Sequence[str]) -> str:
    """The file for replicas at these addresses. Their numbers go by their order: append new ones at the end.

    A single one has no number, and so no cookie: behind it may be another nginx with replicas and a cookie of its own.
    """
    wrong = [each for each in addresses if not _ADDRESS.fullmatch(each)]
    if wrong or not addresses:
        raise SystemExit(f"{wrong[0] if wrong else 'Nothing'} is no address: write them like 172.30.85.11:8501.")
    numbered = list(enumerate(addresses, 1)) if len(addresses) > 1 else []
    return _FILE.format(
        addresses=" ".join(addresses),
        servers="\n".join(f"    server {each} max_fails=1 fail_timeout=5s;" for each in addresses),
        voting="\n".join(f"    server {each} max_fails=0;" for each in addresses),
        targets="\n".join(f"    {number} {each};" for number, each in numbered),
        numbers="\n".join(rf'    "~(^|[ ,]){re.escape(each)}$" {number};' for number, each in numbered),
    )


if __name__ == "__main__":
    sys.stdout.write(configuration(sys.argv[1:]))
