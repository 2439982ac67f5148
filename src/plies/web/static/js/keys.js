// @ts-check
/**
 * The keys of this browser's sessions.  They are kept for all tabs, except the key of an
 * invitation to a session that this browser already has a key of: that one is its tab's.
 */

const STORE = "plies.sessions";
const MOST = 60;

/**
 * @typedef {{id: string, key: string, invites: string[], game: string, title: string, at: number}} Kept
 */

/** @returns {Kept[]} newest first */
export function keptSessions() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {string} id @returns {Kept | undefined} */
export const keptSession = (id) => keptSessions().find((kept) => kept.id === id);

/** @param {Omit<Kept, "at">} session */
export function keep(session) {
  const others = keptSessions().filter((kept) => kept.id !== session.id);
  write([{ ...session, at: Date.now() }, ...others].slice(0, MOST));
}

/** @param {string} id */
export function forget(id) {
  write(keptSessions().filter((kept) => kept.id !== id));
}

/** The key to use for a session in this tab, "" for none. @param {string} id */
export function keyOf(id) {
  return tabKey(id) || keptSession(id)?.key || "";
}

/** A key that came with a link. @param {string} id @param {string} key */
export function takeKey(id, key) {
  const known = keptSession(id);
  if (known && known.key !== key) {
    try {
      sessionStorage.setItem(`plies.key.${id}`, key);
    } catch { /* then the browser's own key is used */ }
  } else if (!known) {
    keep({ id, key, invites: [], game: "", title: "" });
  }
}

/** @param {string} id */
function tabKey(id) {
  try {
    return sessionStorage.getItem(`plies.key.${id}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {Kept[]} kept */
function write(kept) {
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch { /* no storage: a reload will only watch */ }
}
