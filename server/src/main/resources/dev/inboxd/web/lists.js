// Lists of conversations: what is picked, reading beside the list, and the place on the way back. All of it is there without
// this script, too, on pages of its own.
import { acts, all, element, localize, mark, one, refresh, say, signedOut, zone } from "./console.js";

const picked = () => all("[name=pick]:checked");

/** The buttons for what is picked are there when something is. */
function settle() {
    for (const field of all("[name=zone]")) field.value = zone;
    const bar = one("#picks");
    if (!bar) return;
    bar.hidden = !picked().length;
    one("output", bar).textContent = `${picked().length} selected`;
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
    if (!link.closest("#reading")) return open(link, true);
    read(new URL(link.getAttribute("href"), new URL(opened, location)));
});

/** On a wide screen a conversation opens beside its list: its page as the server made it, without what is around it. */
const wide = matchMedia("(min-width: 1200px)");
const pane = element("section", "", { id: "reading", tabIndex: -1 });
pane.setAttribute("aria-label", "Conversation");
let opened;
let turn = 0;

const typed = () => all("textarea, input:not([type=hidden])", pane).some((field) => field.value !== field.defaultValue);
const leaves = () => !opened || !typed() || confirm("Leave this conversation? Your text has not been sent.");
/** An address without what its page says of the last action. */
const clean = (url) => url.replace(/([?&])(done|undo|n|of|stopped)=[^&]*/g, "$1").replace(/([?&])&+/g, "$1").replace(/[?&]+$/, "");

async function open(link, focus) {
    if (!leaves()) return;
    mark(all("[data-row]").indexOf(link), false);
    if ((await read(link.href)) && focus) pane.focus({ preventScroll: true });
}

/** Shows a page in the pane; with a body it changes something before. Whether it is shown. */
async function read(url, body) {
    const mine = ++turn;
    let answer, page;
    try {
        answer = await fetch(url, body && { method: "POST", body });
        page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
        return void say(body ? "No connection. Check whether it was done before you try again." : "No connection. The page cannot be shown.");
    }
    const at = new URL(answer.url);
    if (/\/(enter|organizations)$/.test(at.pathname)) return signedOut();
    const live = one("#live", page);
    if (!answer.ok || !live) return void say(one("#live .notice", page)?.textContent ?? `It failed. The server answered ${answer.status}.`);
    const words = one("#news", page)?.textContent;
    if (words) say(words);
    if (body) {
        const undo = one("#undo", page);
        one("#undo")?.remove();
        if (undo) {
            undo.setAttribute("action", clean(at.pathname + at.search));
            one("#news").after(undo);
            setTimeout(() => undo.remove(), 10000);
        }
        refresh();
    }
    if (mine !== turn) return; // another one was asked for meanwhile
    if (!/\/threads\/[^/]+$/.test(at.pathname)) return hide();
    show(at, live, !body?.has("text"));
    if (!words) say(one("h1", pane).textContent);
    return true;
}

function show(at, live, keeps) {
    for (const form of all("form:not([action])", live)) form.setAttribute("action", at.pathname + at.search);
    all(".crumbs, script", live).forEach((each) => each.remove());
    const bar = element("p", "", { className: "buttons" });
    bar.append(element("a", "Open full page", { href: at.pathname, className: "button" }), element("button", "Close", { type: "button", onclick: close }));
    const same = opened?.split("?")[0] === at.pathname;
    const y = same ? pane.scrollTop : 0;
    const text = same && keeps ? one("[name=text]", pane)?.value : "";
    const path = clean(at.pathname + at.search);
    history[opened || history.state?.opened ? "replaceState" : "pushState"]({ opened: path }, "");
    opened = path;
    pane.replaceChildren(bar, ...live.childNodes);
    if (text) one("[name=text]", pane).value = text;
    one("#live").after(pane);
    document.body.classList.add("split");
    localize();
    pane.scrollTop = y;
}

function hide() {
    if (!opened) return;
    opened = undefined;
    turn++;
    pane.remove();
    document.body.classList.remove("split");
    one(".row.at a")?.focus();
    if (history.state?.opened) history.back();
}

const close = () => leaves() && hide();

addEventListener("popstate", ({ state }) => {
    if (state?.opened) return wide.matches && read(state.opened);
    if (!opened) return;
    if (leaves()) hide();
    else history.pushState({ opened }, "");
});
wide.addEventListener("change", () => wide.matches || hide());
document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!opened || !form.closest("#reading, #undo")) return;
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    form.setAttribute("aria-busy", "true");
    if (event.submitter) event.submitter.disabled = true;
    await read(form.getAttribute("action"), body);
    form.removeAttribute("aria-busy");
    if (event.submitter) event.submitter.disabled = false;
});
document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && !target.closest("dialog, input, textarea")) close();
});
for (const name of ["next", "previous"]) {
    const moves = acts[name];
    acts[name] = () => {
        if (!leaves()) return;
        if (opened) all("textarea, input", pane).forEach((field) => (field.value = field.defaultValue)); // asked once
        moves();
        const link = one(".row.at [data-row]");
        if (opened && link) open(link, false);
    };
}

/** The place in a list: whoever comes back from a conversation of it finds the page, the filter, the row and the scroll. */
settle(); // before the scroll, which it moves
const here = () => clean(location.href);
const kept = JSON.parse(sessionStorage.getItem("list") ?? "null");
addEventListener("pagehide", () => {
    const rows = all(".reads [data-row]");
    if (rows.length) sessionStorage.setItem("list", JSON.stringify({ url: here(), y: scrollY, at: one(".row.at a")?.pathname, rows: rows.map((row) => row.pathname) }));
});
/** A conversation of a list leads back to it, also by its deletion. */
function lead() {
    const up = one(".crumbs [data-key=u]");
    if (!kept?.rows.includes(location.pathname) || !up) return;
    up.href = kept.url;
    const { pathname, search } = new URL(kept.url);
    for (const button of all("[value=trash], [value=purge]")) button.form?.append(element("input", "", { type: "hidden", name: "back", value: pathname + search }));
    sessionStorage.setItem("list", JSON.stringify({ ...kept, at: location.pathname }));
}
lead();
if (kept?.url === here() && one(".reads")) {
    mark(all("[data-row]").findIndex((row) => row.pathname === kept.at), false);
    scrollTo(0, kept.y);
}
/** A link leads into what is folded. */
const unfold = () => location.hash && document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
addEventListener("hashchange", unfold);
unfold();
document.addEventListener("shown", () => {
    settle();
    lead();
    if (opened && !typed()) read(opened);
});
if (history.state?.opened && wide.matches && one(".reads")) read(history.state.opened);
