"""The result follows the last key soon, and the page is small. Times are told, and held against wide bounds only.

A busy machine must not fail these: what is checked is that a long manifest costs little more than a short one needs.
"""

from __future__ import annotations

import gzip
import re
import statistics
from urllib.request import urlopen

from e2e.playground import Playground

CONTAINER = """\
      - name: c{number}
        image: shop/part:{number}
        env:
        - {{name: A, value: "1"}}
        - name: B
          value: "2"
        ports:
        - containerPort: {port}
          protocol: TCP
"""
HEAD = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
"""
WATCH = """
() => {
  window.times = [];
  let pressed = 0;
  document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  document.body.addEventListener("htmx:afterSwap", () => {
    requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - pressed)));
  });
}
"""
"""Notes for each key how long it took until its result was painted."""


def manifest(containers: int) -> str:
    return HEAD + "".join(CONTAINER.format(number=number, port=8000 + number) for number in range(containers))


def milliseconds(playground: Playground, containers: int) -> float:
    """The median time from a key to its result painted, with a live object of the same manifest."""
    page = playground.page
    page.goto("about:blank")  # an address that is open already is a reload, and keeps what was typed
    page.goto("/empty")
    page.get_by_label("Manager").fill("ci")
    playground.type_over("body", manifest(containers))
    playground.expect_outcome("201")
    page.get_by_role("button", name="Commit").click()
    playground.expect_outcome("200")
    playground.editor("body").click()
    page.keyboard.press("Control+End")
    page.evaluate(WATCH)
    for key in "# a comment":
        with page.expect_response("**/evaluate"):
            page.keyboard.press(key if key != " " else "Space")
        page.wait_for_timeout(300)
    times: list[float] = page.evaluate("window.times")
    return statistics.median(times[2:])


def test_a_long_manifest_costs_little_more_than_a_short_one(playground: Playground) -> None:
    assert [manifest(count).count("\n") for count in (4, 54, 555)] == [51, 501, 5_010]
    small, large, huge = (milliseconds(playground, count) for count in (4, 54, 555))
    print(f"result after the last key: {small:.0f} ms with 50 lines, {large:.0f} with 500, {huge:.0f} with 5,000")
    assert large < 10 * small + 200
    assert huge < 30 * small + 500


def test_the_page_is_small(playground: Playground, base_url: str) -> None:
    with urlopen(f"{base_url}/") as answer:
        page = answer.read()
    addresses = set(re.findall(rb'(?:src|href)="(/static/[^"]+)"', page))
    total = len(gzip.compress(page))
    for address in addresses:
        with urlopen(base_url + address.decode()) as answer:
            total += len(gzip.compress(answer.read()))
    print(f"the page weighs {total / 1024:.0f} KiB compressed")
    assert total < 250_000
