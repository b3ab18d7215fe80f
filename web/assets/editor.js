// Turns every textarea[data-editor] into an editor. The textarea stays the form's field, and offers
// `editor`: { setText, getText, show(diagnostics), goTo(line, column) } to the other modules.
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, foldEffect, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { classHighlighter } from "@lezer/highlight";
import { yaml } from "@codemirror/lang-yaml";
import { json } from "@codemirror/lang-json";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { say } from "../../static/js/words.js";
import { PHRASES } from "./phrases.js";

const nonce = document.querySelector('meta[name="csp-nonce"]').content;
const fromOutside = Annotation.define();

function languageOf(text) {
  return /^\s*[[{]/.test(text) ? "json" : "yaml";
}

function evaluateNow(view) {
  view.contentDOM.closest("form").requestSubmit();
  return true;
}

function mount(textarea) {
  const language = new Compartment();
  let spoken = languageOf(textarea.value);
  const support = () => (spoken === "json" ? json() : yaml());
  // The form hears of a change before the editor itself draws it: the server works meanwhile.
  function tell(transactions) {
    if (!transactions.some((transaction) => transaction.docChanged)) return;
    textarea.value = transactions.at(-1).newDoc.toString();
    if (!transactions.some((transaction) => transaction.annotation(fromOutside))) {
      textarea.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  function dispatchTransactions(transactions, view) {
    tell(transactions);
    view.update(transactions);
    const speaks = languageOf(textarea.value);
    if (speaks === spoken) return;
    spoken = speaks;
    view.dispatch({ effects: language.reconfigure(support()) });
  }
  const view = new EditorView({
    parent: textarea.parentElement,
    doc: textarea.value,
    dispatchTransactions,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorState.phrases.of(PHRASES),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": textarea.getAttribute("aria-label"), "aria-description": say("Press Escape, then Tab, to leave.") }),
      keymap.of([{ key: "Mod-Enter", run: evaluateNow }]),
      lineNumbers(), lintGutter(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      indentUnit.of("  "), EditorState.tabSize.of(2), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }),
      syntaxHighlighting(classHighlighter), language.of(support()),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
    ],
  });
  foldManagedFields(view);
  textarea.hidden = true;
  textarea.tabIndex = -1;
  textarea.editor = editorOf(view);
}

// managedFields are long, and the result tells what they say: they start folded.
function foldManagedFields(view) {
  const { doc } = view.state;
  const found = /^ {2}managedFields:$/m.exec(doc.toString());
  if (!found) return;
  const from = found.index + found[0].length;
  let last = doc.lineAt(from);
  while (last.number < doc.lines && /^ {2}(-| )/.test(doc.line(last.number + 1).text)) last = doc.line(last.number + 1);
  if (last.to > from) view.dispatch({ effects: foldEffect.of({ from, to: last.to }) });
}

function positionOf(state, line, column) {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  return { from: Math.min(at.from + Math.max(column - 1, 0), at.to), line: at };
}

function diagnosticOf(state, { line, column, message }) {
  const { from, line: at } = positionOf(state, line || 1, column || 1);
  const word = /^\S+/.exec(state.sliceDoc(from, at.to));
  const to = word ? from + word[0].length : at.to;
  return { from: Math.min(from, Math.max(at.from, to - 1)), to, severity: "error", message, markClass: "cm-faulty" };
}

function editorOf(view) {
  return {
    getText: () => view.state.doc.toString(),
    // The whole text in one undoable step; the caller decides when the page follows.
    setText(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: [fromOutside.of(true), isolateHistory.of("full")],
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
      foldManagedFields(view);
    },
    show(problems) {
      const diagnostics = problems.map((problem) => diagnosticOf(view.state, problem));
      view.dispatch(setDiagnostics(view.state, diagnostics.sort((a, b) => a.from - b.from)));
    },
    goTo(line, column) {
      const { from } = positionOf(view.state, line, column);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

for (const textarea of document.querySelectorAll("textarea[data-editor]")) mount(textarea);
