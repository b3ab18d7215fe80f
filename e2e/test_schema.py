"""A person opens the schema in force, goes down a path, and turns a list of their own kind into another type."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from e2e.playground import Playground
from e2e.test_accessibility import complaints

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.com}
spec:
  group: example.com
  names: {kind: Crate, plural: crates}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              tags: # what is in it
                type: array
                items: {type: string}
"""
CRATE = "apiVersion: example.com/v1\nkind: Crate\nmetadata:\n  name: c\nspec:\n  tags: [{}]\n"


def rows(page: Page, name: str) -> Locator:
    return page.locator(".schema-rows tr", has=page.get_by_text(name, exact=True))


def test_any_path_is_reached_by_typing_and_by_going_down(playground: Playground, axe: str) -> None:
    page = playground.page
    playground.open_example("conflict")
    playground.choose_view("Schema")
    page.get_by_role("button", name=".spec", exact=True).click()
    expect(rows(page, ".replicas")).to_contain_text("Default: 1")
    expect(rows(page, ".selector")).to_contain_text("Apply owns this map as a whole")
    page.get_by_label("Path in the schema").first.fill(".spec.template.spec.containers[].ports")
    expect(page.locator(".schema-field")).to_contain_text("map by containerPort, protocol")
    expect(page.locator(".schema-field")).to_contain_text("containerPort alone")
    assert complaints(playground, axe) == []


def test_a_path_that_is_not_there_is_told_with_what_is(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.choose_view("Schema")
    playground.page.get_by_label("Path in the schema").first.fill(".spec.replica")
    expect(playground.page.locator(".view-schema [role=status]")).to_contain_text("expected one of")
    playground.page.get_by_label("Path in the schema").first.fill(".spec.replicas")
    expect(playground.page.locator(".schema-field")).to_contain_text("int32")


def commit_crate(playground: Playground, manager: str, tag: str, count: int) -> None:
    page = playground.page
    page.get_by_label("Manager").fill(manager)
    playground.type_over("body", CRATE.replace("{}", tag))
    playground.expect_outcome("20")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator("#timeline li:has(.number)")).to_have_count(count)


def test_a_list_turned_into_a_set_is_a_step_and_two_may_own_its_values(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    page.locator(".crds summary").click()
    playground.type_over("crds", CRD)
    commit_crate(playground, "a", "red", 1)
    page.get_by_label("Manager").fill("b")
    playground.type_over("body", CRATE.replace("{}", "blue"))
    playground.expect_outcome("409")
    playground.choose_view("Schema")
    page.get_by_label("Path in the schema").first.fill(".spec.tags")
    page.get_by_role("button", name="Make it set").click()
    expect(page.locator("#timeline .what").nth(1)).to_have_text("Schema")
    expect(page.locator("#timeline .sentence").nth(1)).to_contain_text("From here on .spec.tags is set")
    assert "x-kubernetes-list-type: set" in playground.text("crds")
    assert "tags: # what is in it" in playground.text("crds")
    playground.expect_outcome("200")
    playground.choose_view("Result")
    expect(playground.line("- blue")).to_have_attribute("data-letters", "B")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator("#timeline li:has(.number)")).to_have_count(3)
    expect(page.locator("#timeline .what")).to_have_text(["a: Apply", "Schema", "b: Apply"])
    page.get_by_role("button", name="Leave step 2 out").click()
    expect(page.locator("#timeline li:has(.number)")).to_have_count(2)


def test_without_a_schema_it_says_what_to_paste(playground: Playground) -> None:
    playground.page.goto("/empty")
    playground.type_over("body", CRATE.replace("{}", "red"))
    playground.choose_view("Schema")
    expect(playground.page.locator(".view-schema [role=status]")).to_contain_text("CustomResourceDefinition")
