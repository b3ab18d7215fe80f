"""The playground as a person works with it: what they see and do, in their words."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

PASTE = """
(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}
"""
"""What a browser does for Ctrl+V. (To insert a long text as typed, Chromium needs time by its lines squared.)"""


class Playground:
    """One open playground."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def outcome(self) -> Locator:
        """The line that tells how the write went."""
        return self.page.locator("#outcome")

    @property
    def lines(self) -> Locator:
        """The lines of the result."""
        return self.page.locator(".lines .line")

    def line(self, text: str) -> Locator:
        """The lines of the result that hold `text`."""
        return self.lines.filter(has_text=text)

    def open_example(self, slug: str) -> None:
        """Follow the address of an example."""
        self.page.goto(f"/?example={slug}")

    def choose_example(self, title: str) -> None:
        """Choose an example in the menu."""
        self.page.get_by_text("Examples", exact=True).click()
        self.page.locator("#examples a", has=self.page.locator("b", has_text=title)).click()

    def editor(self, name: str) -> Locator:
        """The editor of live, body or crds: where its text is typed."""
        return self.page.locator(f".editor:has(#{name}) .cm-content")

    def text(self, name: str) -> str:
        """What stands in an editor."""
        return str(self.page.evaluate("name => document.getElementById(name).value", name))

    def type_over(self, name: str, text: str) -> None:
        """Replace the text of an editor by pasting another."""
        editor = self.editor(name)
        editor.click()
        self.page.keyboard.press("Control+a")
        if text:
            editor.evaluate(PASTE, text)
        else:
            self.page.keyboard.press("Delete")

    def choose_kind(self, label: str) -> None:
        """Choose the kind of write."""
        self.page.locator(".kinds label", has_text=label).click()

    def choose_view(self, label: str) -> None:
        """Choose what the result column shows."""
        self.page.locator(".views-choice label", has_text=label).click()

    def expect_outcome(self, text: str) -> None:
        """Wait until the outcome says `text`."""
        expect(self.outcome).to_contain_text(text)
