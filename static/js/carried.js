// What was typed before the page changed its language: put aside by one page, taken up once by the next.
const KEY = "patchyard.carried";

export function putAside(form) {
  const entries = [...new FormData(form)].filter(([name, value]) => name !== "last_good" && name !== "language" && typeof value === "string");
  sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, entries }));
}

function takeUp() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    sessionStorage.removeItem(KEY);
    return kept?.path === location.pathname ? kept.entries : null;
  } catch {
    return null;
  }
}

// The names and values of the form; null if this page does not follow a change of language.
export const carried = takeUp();
