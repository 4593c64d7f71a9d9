// Lists of conversations: what is picked, reading beside the list, and the place on the way back. All of it is there without
// this script, too, on pages of its own.
import { acts, all, element, localize, mark, one, refresh, say } from "./console.js";

const picked = () => all("[name=pick]:checked");

/** The buttons for what is picked are there when something is. */
function settle() {
    for (const field of all("[name=zone]")) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const bar = one("#picks");
    if (!bar) return;
    bar.hidden = !picked().length;
    one("output", bar).textContent = `${picked().length} picked`;
}

let last;
acts.pick = () => one(".row.at [name=pick]")?.click();
document.addEventListener("click", (event) => {
    const box = event.target.closest?.("[name=pick]");
    if (box) {
        const boxes = all("[name=pick]");
        if (event.shiftKey && last?.isConnected) {
            const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
            for (const each of boxes.slice(from, to + 1)) each.checked = box.checked;
        }
        last = box;
        return settle();
    }
    const link = event.target.closest?.(".reads [data-row], #reading a[href^='?']");
    if (!link || !wide.matches || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.row !== undefined) mark(all("[data-row]").indexOf(link), false);
    read(new URL(link.getAttribute("href"), opened && link.closest("#reading") ? opened : location));
});

/** On a wide screen a conversation opens beside its list: its page as the server made it, without what is around it. */
const wide = matchMedia("(min-width: 1200px)");
const pane = element("section", "", { id: "reading", tabIndex: -1 });
pane.setAttribute("aria-label", "Conversation");
let opened;
async function read(url, options) {
    let answer;
    try {
        answer = await fetch(url, options);
    } catch {
        return say("It cannot be shown: no connection.");
    }
    const at = new URL(answer.url);
    if (/\/(enter|organizations)$/.test(at.pathname)) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [words, undo, live] = [one("#news", page).textContent, one("#undo", page), one("#live", page)];
    for (const form of all("form:not([action])", page)) form.setAttribute("action", at.pathname + at.search);
    if (words) say(words);
    one("#undo")?.remove();
    if (undo) {
        one("#news").after(undo);
        setTimeout(() => undo.remove(), 10000);
    }
    refresh();
    if (!/\/threads\/[^/]+$/.test(at.pathname)) return close();
    all(".crumbs, script", live).forEach((each) => each.remove());
    const bar = element("p", "", { className: "buttons" });
    bar.append(element("a", "Open alone", { href: at.pathname, className: "button" }), element("button", "Close", { type: "button", onclick: close }));
    const y = opened === at.pathname ? pane.scrollTop : 0;
    opened = at.pathname;
    pane.replaceChildren(bar, ...live.childNodes);
    one("#live").after(pane);
    document.body.classList.add("split");
    localize();
    pane.scrollTop = y;
    history.replaceState({ opened }, "");
}

function close() {
    if (!opened) return;
    opened = undefined;
    pane.remove();
    document.body.classList.remove("split");
    history.replaceState(null, "");
    one(".row.at a")?.focus();
}

wide.addEventListener("change", () => wide.matches || close());
document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!opened || !form.closest("#reading, #undo")) return;
    event.preventDefault();
    read(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
});
document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && !target.closest("dialog, input, textarea")) close();
});
for (const name of ["next", "previous"]) {
    const moves = acts[name];
    acts[name] = () => {
        moves();
        if (opened) one(".row.at [data-row]")?.click();
    };
}

/** The place in a list: whoever comes back from a conversation of it finds the page, the filter, the row and the scroll. */
settle(); // before the scroll, which it moves
const here = () => location.href.replace(/([?&])(done|undo|n|of)=[^&]*/g, "$1").replace(/[?&]+$/, "");
const kept = JSON.parse(sessionStorage.getItem("list") ?? "null");
addEventListener("pagehide", () => {
    const rows = all(".reads [data-row]");
    if (rows.length) sessionStorage.setItem("list", JSON.stringify({ url: here(), y: scrollY, at: one(".row.at a")?.pathname, rows: rows.map((row) => row.pathname) }));
});
const up = one(".crumbs [data-key=u]");
if (kept?.rows.includes(location.pathname) && up) {
    up.href = kept.url;
    sessionStorage.setItem("list", JSON.stringify({ ...kept, at: location.pathname }));
}
if (kept?.url === here() && one(".reads")) {
    mark(all("[data-row]").findIndex((row) => row.pathname === kept.at), false);
    scrollTo(0, kept.y);
}
document.addEventListener("shown", () => {
    settle();
    if (opened && !all("textarea", pane).some((field) => field.value)) read(opened);
});
if (history.state?.opened && wide.matches && one(".reads")) read(history.state.opened);
