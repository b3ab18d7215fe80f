// Says a text in the language of the page; %(name)s stands for a value.
const words = JSON.parse(document.getElementById("words")?.textContent || "{}");

export function say(text, values = {}) {
  return (words[text] ?? text).replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
