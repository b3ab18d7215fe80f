"""A new user is stopped by an autoscaler's claim on replicas, and finds the way out: by mouse, and by keys alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.playground import Playground
from e2e.test_keyboard_only import focus_by_tab

LIVE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  managedFields:
  - manager: deployer
    operation: Apply
    apiVersion: apps/v1
    fieldsType: FieldsV1
    fieldsV1:
      f:spec:
        f:template:
          f:spec:
            f:containers:
              k:{"name":"web"}: {.: {}, f:image: {}, f:name: {}}
  - manager: horizontal-pod-autoscaler
    operation: Update
    apiVersion: apps/v1
    subresource: scale
    fieldsType: FieldsV1
    fieldsV1: {f:spec: {f:replicas: {}}}
spec:
  replicas: 7
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "shop/web:1.16"}
"""
INTENT = """\
# what the pipeline applies
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 3 # from before the autoscaler
  template:
    spec:
      containers:
      - name: web
        image: shop/web:1.17
"""


def seen_focus(page: Page) -> str:
    """What has the focus, checked to be in view and marked as focused."""
    return str(
        page.evaluate(
            """() => {
              const at = document.activeElement, box = at.getBoundingClientRect();
              const shown = at.type === "radio" ? at.nextElementSibling : at;
              const marked = at.matches(".cm-content") || getComputedStyle(shown).outlineStyle !== "none";
              const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
              if (!marked || !inside) throw new Error(`focus is not seen: ${at.outerHTML.slice(0, 120)}`);
              return at.textContent.trim() || at.name || at.id;
            }"""
        )
    )


def test_by_mouse(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    playground.type_over("live", LIVE)
    page.get_by_label("Manager").fill("deployer")
    playground.type_over("body", INTENT)
    playground.expect_outcome("409")
    conflict = page.locator("#conflicts")
    expect(conflict).to_contain_text("horizontal-pod-autoscaler")
    expect(conflict).to_contain_text(".spec.replicas")
    give_up = page.get_by_role("region", name="Give it up")
    expect(give_up).to_contain_text("owned by horizontal-pod-autoscaler")
    expect(give_up).to_contain_text("replicas: 3")
    give_up.get_by_role("button", name="Give it up").click()
    playground.expect_outcome("200")
    expect(playground.line("replicas: 7")).to_have_count(1)
    assert playground.text("body") == INTENT.replace("  replicas: 3 # from before the autoscaler\n", "")


def test_by_keys_alone(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    page.wait_for_selector(".cm-editor")
    focus_by_tab(page, "[name=manager]")
    seen_focus(page)
    page.keyboard.press("Control+a")
    page.keyboard.type("deployer")
    focus_by_tab(page, ".column-live .cm-content")
    seen_focus(page)
    page.keyboard.insert_text(LIVE)
    focus_by_tab(page, ".column-body .cm-content")
    seen_focus(page)
    page.keyboard.insert_text(INTENT)
    playground.expect_outcome("409")
    focus_by_tab(page, '#conflicts button[value="give-up"]', most=100)
    assert seen_focus(page) == "Give it up"
    page.keyboard.press("Enter")
    playground.expect_outcome("200")
    seen_focus(page)  # the focus is where the result is, not lost with the button that is gone
    assert page.evaluate("document.activeElement.matches('[name=view]')")
    expect(playground.line("replicas: 7")).to_have_count(1)
