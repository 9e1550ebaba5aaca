"""Foreign tokenizers in processes of their own: what ends one, what is remembered, and who waits for whom."""

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from tokenizers import Tokenizer

import embedviz as ev
from embedviz.base.errors import Unavailable
from embedviz.base.settings import ROOT
from embedviz.text.model_tokenizers import tokenizer_process
from embedviz.text.model_tokenizers.model_tokenizer import ModelTokenizer, built
from embedviz.ui import turns
from tests.text.tokenizer_files import NAMES, changed, tokenizer_json

SLOW = {"type": "Split", "pattern": {"Regex": "(?:a|aa){1,20}b"}, "behavior": "Isolated", "invert": False}
PATIENCE = 300.0  # seconds that only a hang reaches


def file(mark: str, **sections: object) -> bytes:
    """A file that no other test has, since what is known of a file is kept by what is in it."""
    token = {"id": 5000, "content": mark, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": False}  # fmt: skip
    old = json.loads(tokenizer_json("test/byte-level"))["added_tokens"]
    return changed("test/byte-level", added_tokens=[*old, token], **sections)


def workers() -> list[psutil.Process]:
    """The processes that answer for tokenizers, not those that are starting."""
    living = [each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE]
    return [each for each in living if "tokenizer_worker.py" in " ".join(each.cmdline())]


@pytest.fixture(autouse=True)
def _alone():
    """Each test begins without processes."""
    tokenizer_process.reset()


def began(data: bytes) -> tuple[ModelTokenizer, psutil.Process]:
    found = built("owner/name", data)
    (process,) = workers()
    return found, process


def test_one_process_answers_all_questions_about_a_file():
    found, process = began(file("all"))
    texts = [f"the cat {n}" for n in range(50)]
    reference = Tokenizer.from_str(file("all").decode())
    with ThreadPoolExecutor(8) as threads:
        cuts = list(threads.map(lambda text: found.cut(text, special_tokens=True), texts))
    assert [list(each.ids) for each in cuts] == [reference.encode(text).ids for text in texts]
    assert workers() == [process]


def test_two_models_with_one_file_have_one_process():
    built("owner/first", file("twin"))
    built("owner/second", file("twin"))
    assert len(workers()) == 1


def test_a_long_text_has_a_process_of_its_own():
    found, process = began(file("long"))
    text = "the cat sat on the mat. " * 2000
    assert (
        found.ids(text).tolist() == Tokenizer.from_str(file("long").decode()).encode(text, add_special_tokens=False).ids
    )
    assert len(workers()) == 2
    assert process in workers()


def test_nobody_waits_for_a_tokenizer_with_the_turn():
    """Neither who asks it, nor who asks the same a moment later, nor who asks for something else behind them."""
    found = built("owner/name", file("turn", pre_tokenizer=SLOW))
    first, entered = threading.Event(), []

    def ask(text: str) -> None:
        with turns.turn():
            first.set()
            try:
                found.cut(text, special_tokens=True)
            except ev.EmbedvizError:
                entered.append(text)

    askers = [threading.Thread(target=ask, args=("a" * (2000 + n // 2),)) for n in range(4)]
    for each in askers:
        each.start()
    assert first.wait(PATIENCE)
    with turns.turn():
        assert not entered  # all of them still wait
    for each in askers:
        each.join()


def test_a_process_that_is_killed_is_said_once_and_begins_anew():
    found, process = began(file("killed"))
    process.kill()
    with pytest.raises(ev.EmbedvizError, match=r"^The tokenizer of owner/name ended in the middle of its work\."):
        found.cut("the cat", special_tokens=False)
    assert found.cut("the cat", special_tokens=False).pieces[0] == b"the"
    assert len(workers()) == 1


def test_a_text_that_takes_too_long_ends_the_process_and_others_go_on(monkeypatch):
    monkeypatch.setattr(tokenizer_process, "TEXT_SECONDS", 0.5)
    monkeypatch.setattr(tokenizer_process, "PATIENCE", 1000)  # or a busy machine would be blamed, and not the text
    slow, other = built("owner/slow", file("slow", pre_tokenizer=SLOW)), built("owner/other", file("other"))
    failed: list[str] = []

    def cut_slowly() -> None:
        with pytest.raises(ev.EmbedvizError) as error:
            slow.cut("a" * 2000, special_tokens=False)
        failed.append(str(error.value))

    thread = threading.Thread(target=cut_slowly)
    thread.start()
    n = 0
    while thread.is_alive():
        other.cut(f"the cat {n}", special_tokens=False)
        n += 1
    assert failed[0].startswith("The tokenizer of owner/slow took too long and was stopped.")
    assert n > 1


def test_a_machine_that_is_too_busy_is_not_the_files_fault(monkeypatch):
    found, _process = began(file("late", pre_tokenizer=SLOW))
    monkeypatch.setattr(tokenizer_process, "PATIENCE", 0)
    with pytest.raises(Unavailable, match=r"^Too many are waiting for the tokenizer of owner/name\."):
        found.cut("a" * 2000, special_tokens=False)
    monkeypatch.undo()
    assert found.cut("the", special_tokens=False).pieces


def test_what_failed_is_not_tried_again_for_a_while(monkeypatch):
    started: list[object] = []
    start = tokenizer_process.processes.start
    monkeypatch.setattr(tokenizer_process.processes, "start", lambda *a, **k: started.append(a) or start(*a, **k))
    for name in ("owner/first", "owner/second", "owner/first"):
        with pytest.raises(ev.EmbedvizError, match=rf"^The tokenizer\.json of {name} is damaged"):
            built(name, b'{"broken": 1}')
    assert len(started) == 1
    tokenizer_process.forget_failures()  # as if the time were over
    with pytest.raises(ev.EmbedvizError, match="is damaged"):
        built("owner/first", b'{"broken": 1}')
    assert len(started) == 2


def test_memory_that_runs_out_is_said():
    step = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 100}
    found, _process = began(file("memory", normalizer={"type": "Sequence", "normalizers": [step] * 4}))
    for _again in range(2):
        with pytest.raises(ev.EmbedvizError, match=r"^The tokenizer of owner/name needs more memory than this server"):
            found.cut("aaaa", special_tokens=False)
    assert not workers()


def test_the_process_used_longest_ago_makes_room(monkeypatch):
    monkeypatch.setattr(tokenizer_process, "MEMORY_IN_ALL", 2 * tokenizer_process.memory_bytes(10_000))
    first, second, third = (built(f"owner/{n}", file(f"room {n}")) for n in range(3))
    assert len(workers()) == 2
    for found in (third, second, first):
        assert found.cut("the", special_tokens=False).pieces == (b"the",)
    assert len(workers()) == 2


def test_without_room_a_visitor_is_told_to_wait(monkeypatch):
    monkeypatch.setattr(tokenizer_process, "MEMORY_IN_ALL", tokenizer_process.memory_bytes(10_000))
    busy = built("owner/busy", file("busy"))
    with (
        tokenizer_process.exclusive_process(busy.file.data, is_long=False),
        pytest.raises(Unavailable, match="Too many are waiting"),
    ):
        built("owner/next", file("next"))
    assert built("owner/next", file("next")).n_ids == 331


def test_the_wait_behind_others_ends(monkeypatch):
    monkeypatch.setattr(tokenizer_process, "QUEUE_SECONDS", 0.1)
    found, _process = began(file("queue"))
    with tokenizer_process.exclusive_process(found.file.data, is_long=False), ThreadPoolExecutor(1) as other:
        waits = other.submit(found.cut, "the dog", special_tokens=False)
        assert isinstance(waits.exception(PATIENCE), Unavailable)
    assert found.cut("the dog", special_tokens=False).pieces


def test_a_process_without_questions_ends(monkeypatch):
    monkeypatch.setattr(tokenizer_process, "IDLE_SECONDS", 0.1)
    found, process = began(file("idle"))
    process.wait(PATIENCE)
    assert found.cut("the", special_tokens=False).pieces == (b"the",)


def test_a_process_ends_with_whoever_started_it(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(file("orphan"))
    program = (
        "import os, psutil; from pathlib import Path; from embedviz.text.model_tokenizers.model_tokenizer import built;"
        f"built('owner/name', Path({str(path)!r}).read_bytes());"
        "print(psutil.Process().children()[0].pid, flush=True); os._exit(0)"
    )
    pid = int(subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True).stdout)
    until = time.monotonic() + PATIENCE
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_all_pieces_come_in_one_answer():
    for name in NAMES:
        found = built("owner/name", tokenizer_json(name))
        assert found.vocabulary() == found.pieces(range(found.n_ids))
        assert None not in found.vocabulary()
