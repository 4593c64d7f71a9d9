// The console without this script can be read and used. It adds what happens now, keys, and the palette.
const body = document.body;
const base = body.dataset.base + "/console";
const title = document.title;
let cursor = body.dataset.cursor;
let arrived = 0;
let waiting = 0;

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const say = (text) => (one("#news").textContent = text);

/** What the server renders without a script that would not work without one. */
function reveal() {
    all(".lister, .tools button, [data-act=copy]").forEach((element) => (element.hidden = false));
    if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) all("[data-passkey]").forEach((form) => (form.hidden = false));
    all(".tell").forEach((element) => (element.hidden = globalThis.Notification?.permission !== "default"));
    localize();
    label();
    for (const strip of all(".bar, .tabs")) {
        const chosen = one("[aria-current]", strip);
        if (chosen) strip.scrollLeft = chosen.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2;
    }
    document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone};path=${base};max-age=31536000;samesite=strict`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const year = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const fine = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 2 });
const when = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const days = (at) => Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 864e5);

/** A time as the person's clock has it: what is new in minutes, today's by the hour, all else by the day. */
function near(at) {
    const minutes = Math.round((Date.now() - at) / 6e4);
    if (minutes >= 0 && minutes < 60) return minutes < 1 ? "now" : `${minutes} min ago`;
    if (days(at) === 0) return clock.format(at);
    return (Math.abs(days(at)) < 300 ? day : year).format(at);
}

/** The server writes times in UTC; here they are the person's own, and a list of mail has its days as headings. */
function localize() {
    for (const time of all("time[datetime]")) {
        const at = Date.parse(time.dateTime);
        if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(time.dateTime) || Number.isNaN(at)) continue;
        const form = { fine, exact, clock, when }[Object.keys(time.dataset)[0]];
        time.textContent = form ? form.format(at) : near(at);
        time.title = whole.format(at);
    }
    for (const list of all("[data-days]")) {
        all(".day", list).forEach((heading) => heading.remove());
        let last;
        for (const item of all(".row", list)) {
            const text = one("time", item)?.dateTime ?? "";
            const at = Date.parse(text.length === 10 ? `${text}T00:00` : text); // a date alone is one of this place
            if (Number.isNaN(at) || days(at) === last) continue;
            last = days(at);
            const name = Math.abs(last) < 2 ? relative.format(-last, "day") : weekday.format(at);
            item.before(element("li", name[0].toUpperCase() + name.slice(1), { className: "day" }));
        }
    }
}

/** At phone width a table is a card for each row: each cell says which column it is. */
function label() {
    for (const table of all("table:not(.cards)")) {
        const names = all("th", table).map((name) => name.textContent);
        if (!names.length || all("td table, td form", table).length > 200) continue;
        table.classList.add("cards");
        for (const line of all("tr", table)) all("td", line).forEach((cell, index) => (cell.dataset.label = names[index] ?? ""));
    }
}

/** How much waits for a decision, in the navigation and the title; a notice of the browser where the person wants it. */
let known;
async function count() {
    const badge = one("[data-waiting]");
    if (!badge || !cursor) return;
    try {
        const answer = await fetch(`${base}/waiting${document.hidden ? "" : "?seen=yes"}`, { redirect: "manual", headers: { accept: "application/json" } });
        if (!answer.ok) return;
        const { count: number, more } = await answer.json();
        badge.textContent = more ? `${number}+` : number;
        badge.setAttribute("aria-label", `${badge.textContent} waiting`);
        badge.hidden = number === 0;
        if (known !== undefined && number > known && document.hidden && globalThis.Notification?.permission === "granted") {
            const notice = new Notification("inboxd", { body: "Something needs your approval.", tag: "waiting" });
            notice.onclick = () => {
                focus();
                location = `${base}/approvals`;
            };
        }
        known = number;
        retitle();
    } catch {
        // The next event asks again.
    }
}

const retitle = () => (document.title = `${arrived && document.hidden ? `(${arrived}) ` : ""}${known ? `• ` : ""}${title}`);

/** Reads this very page again and shows what is new in it. */
let reading = false;
let again = false;
async function refresh() {
    if (reading) {
        again = true;
        return;
    }
    reading = true;
    try {
        const answer = await fetch(location.pathname + location.search.replace(/([?&])done=\w+&?/, "$1"), { redirect: "manual" });
        if (answer.type === "opaqueredirect" || answer.status === 401) return signedOut();
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = one("#live", page);
        if (answer.ok && fresh) show(fresh);
    } catch {
        setTimeout(refresh, 2000);
    } finally {
        reading = false;
        if (again) {
            again = false;
            refresh();
        }
    }
}

/** Shows the new content at once at the top of the page, where nobody is typing or reading further down. */
let pending;
function show(fresh) {
    const live = one("#live");
    count();
    if (plain(fresh) === written) return localize();
    const busy = live.contains(document.activeElement) && document.activeElement.matches("input, textarea, iframe, select");
    const typed = all("textarea, input:not([type=hidden])", live).some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
    if (scrollY < 200 && !busy && !typed && !one("iframe, details[open]:not(.unseen), [data-still]", live)) return swap(fresh);
    pending = fresh;
    const button = one("#fresh");
    button.textContent = one("[data-still]", live) ? "Something changed. Show it" : `${waiting || 1} new`;
    button.hidden = false;
}

const plain = (element) => element.textContent.replace(/\s+/g, " ");
/** The words of the page as the server wrote them. */
let written = plain(one("#live"));

function swap(fresh) {
    const live = one("#live");
    const at = one(".row.at a", live)?.getAttribute("href");
    const focused = live.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    written = plain(fresh);
    live.replaceChildren(...fresh.childNodes);
    pending = undefined;
    waiting = 0;
    one("#fresh").hidden = true;
    reveal();
    if (at) mark(all("[data-row]").findIndex((row) => row.getAttribute("href") === at), false);
    if (focused) all("#live a").find((link) => link.getAttribute("href") === focused)?.focus();
    document.dispatchEvent(new Event("shown"));
}

function signedOut() {
    cursor = "";
    say("You are signed out. ");
    const link = document.createElement("a");
    link.href = base + "/enter";
    link.textContent = "Sign in again";
    one("#news").append(link);
}

/** One socket. It comes back with the last cursor, so nothing in between is missed. */
let delay = 500;
function listen() {
    if (!cursor) return;
    const url = new URL(base + "/live", location);
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("cursor", cursor);
    const socket = new WebSocket(url);
    socket.onopen = () => {
        if (delay > 500) refresh();
        if (delay > 2000) say("Reconnected.");
        delay = 500;
        body.dataset.live = "on";
    };
    socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "signed_out") return signedOut();
        if (message.type !== "events") return refresh();
        cursor = message.cursor;
        if (!message.count) return;
        waiting += message.count;
        if (message.arrived) {
            arrived += message.arrived;
            retitle();
            say(message.arrived === 1 ? "1 new message" : `${message.arrived} new messages`);
        }
        refresh();
    };
    socket.onclose = () => {
        body.dataset.live = "off";
        delay = Math.min(delay * 2, 15000);
        if (delay > 2000 && cursor) say("Connection lost. This page may be out of date. Reconnecting…");
        setTimeout(listen, delay);
    };
}
document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
        arrived = 0;
        retitle();
        count();
    }
});

/** The marked row of a list. */
let row = -1;
function mark(index, scroll = true) {
    const rows = all("[data-row]");
    rows.forEach((each) => each.parentElement.classList.remove("at"));
    if (!rows.length) return;
    if (index < 0 && !scroll) return;
    row = Math.max(0, Math.min(index, rows.length - 1));
    rows[row].parentElement.classList.add("at");
    if (scroll) rows[row].focus();
}

const dialog = (name, content) => {
    let box = one(`#${name}`);
    if (!box) {
        box = document.createElement("dialog");
        box.id = name;
        box.setAttribute("aria-label", name === "help" ? "Shortcuts" : "Go to");
        body.append(box);
    }
    box.replaceChildren(...content);
    box.showModal();
    return box;
};

const element = (name, text, more = {}) => Object.assign(document.createElement(name), text ? { textContent: text } : {}, more);

function palette() {
    const places = [...all("[data-place]"), ...all("#live [data-key], .tabs a, .crumbs a")]
        .map((place) => ({ place, name: place.textContent.replace(/\s+/g, " ").trim() }))
        .filter(({ place, name }) => name && !place.hidden);
    const field = element("input", "", { type: "search", autocomplete: "off" });
    field.setAttribute("aria-label", "Go to or run");
    const list = element("ul");
    const go = ({ place }) => {
        box.close();
        place.click();
    };
    const fill = () => {
        const found = places.filter(({ name }) => name.toLowerCase().includes(field.value.toLowerCase())).slice(0, 8);
        list.replaceChildren(...found.map((each) => {
            const item = element("li");
            const link = element("a", each.name, { href: each.place.href ?? "#" });
            link.onclick = (event) => {
                event.preventDefault();
                go(each);
            };
            item.append(link);
            return item;
        }));
        return found;
    };
    const found = element("div");
    let asked;
    const ask = async () => {
        const q = field.value.trim();
        try {
            const answer = await fetch(`${base}/palette?${new URLSearchParams({ zone, q })}`);
            if (answer.redirected) return signedOut();
            const fits = one("ul", new DOMParser().parseFromString(await answer.text(), "text/html"));
            if (answer.ok && fits && q === field.value.trim()) found.replaceChildren(fits);
            localize();
        } catch {
            // What the page has is there all the same.
        }
    };
    field.oninput = () => {
        fill();
        clearTimeout(asked);
        asked = setTimeout(ask, 200);
    };
    const move = (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const stops = [field, ...all("a", box)];
        stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(document.activeElement) + step))].focus();
    };
    field.onkeydown = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        const [first] = fill();
        if (first) go(first);
        else if (field.value) location = `${base}/mail?${new URLSearchParams({ zone, q: field.value })}`;
    };
    const box = dialog("palette", [field, list, found, element("button", "Close", { onclick: () => box.close() })]);
    box.onkeydown = move;
    box.onclick = ({ target }) => target.closest("div a") && box.close();
    fill();
    ask();
    field.focus();
}

function help() {
    const keys = { j: "next", k: "previous", o: "open", u: "up", x: "select; reject; delete", e: "mark as read or unread", r: "reply", a: "reply to all; approve", i: "inboxes", g: "go to", "/": "search", "?": "these shortcuts", "Ctrl K": "go to or run" };
    const list = element("ul");
    for (const [key, meaning] of Object.entries(keys)) {
        const item = element("li");
        item.append(element("kbd", key), " ", meaning);
        list.append(item);
    }
    const box = dialog("help", [element("h2", "Shortcuts"), list, element("button", "Close", { onclick: () => box.close() })]);
}

const acts = {
    palette,
    help,
    next: () => mark(row + 1),
    previous: () => mark(row - 1),
    open: () => all("[data-row]")[Math.max(row, 0)]?.click(),
    fresh: () => {
        scrollTo(0, 0);
        if (pending) swap(pending);
    },
    notify: async () => {
        await Notification.requestPermission();
        reveal();
    },
    copy: async (button) => {
        await navigator.clipboard?.writeText(one("pre", button.parentElement).textContent.trim());
        say("Copied.");
    },
};

document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button) acts[button.dataset.act](button);
    if (event.target.closest("a[href='#reply'], a[href='#reply-all']")) setTimeout(() => one("#reply ~ form textarea")?.focus());
});

/** What a finger or a key does twice decides nothing on the page that follows a decision. */
const begun = performance.now();
document.addEventListener("click", (event) => {
    if (event.target.closest(".decide") && /[?&]done=/.test(location.search) && performance.now() - begun < 700) {
        event.preventDefault();
        event.stopPropagation();
    }
}, true);

document.addEventListener("keydown", (event) => {
    if (event.repeat) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "k") {
        event.preventDefault();
        return palette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === "/") {
        event.preventDefault();
        return one("[type=search]") ? one("[type=search]").focus() : palette();
    }
    const button = all("[data-key]").find((each) => each.dataset.key === event.key && !each.hidden);
    if (button) {
        event.preventDefault();
        button.click();
    }
});

/** A question that a key opens is answered by the keyboard. */
document.addEventListener("toggle", ({ target }) => target.open && target.matches(".decide details") && one("input, button", target)?.focus(), true);

/** Search as you type: the list alone changes. */
let typing;
document.addEventListener("input", ({ target }) => {
    if (!target.matches("[data-typing]")) return;
    clearTimeout(typing);
    typing = setTimeout(async () => {
        const form = target.form;
        const url = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
        one("#live .panes")?.setAttribute("aria-busy", "true");
        try {
            const page = new DOMParser().parseFromString(await (await fetch(url)).text(), "text/html");
            const fresh = one("#live .panes", page);
            if (!target.isConnected) return;
            if (!fresh) return say("The search failed. Press Search to see why.");
            history.replaceState(history.state, "", url);
            written = plain(one("#live", page));
            one("#live .panes").replaceWith(fresh);
            reveal();
            document.dispatchEvent(new Event("shown"));
        } catch {
            say("The search failed. There is no connection.");
        } finally {
            one("#live .panes")?.removeAttribute("aria-busy");
        }
    }, 250);
});

/** What was thrown away is one click away for ten seconds; then it is in the trash alone. */
setTimeout(() => one("#undo")?.remove(), 10000);

export { acts, all, element, localize, mark, one, refresh, say, signedOut, zone };

reveal();
listen();
count();
setInterval(localize, 60000);

// A passkey is made, or asked for, when a form wants one; what the browser answers goes with the form.
document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.passkey || form.elements.answer.value) return;
    event.preventDefault();
    const options = JSON.parse(form.dataset.passkey);
    try {
        const passkey = options.user
            ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
            : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
        form.elements.answer.value = JSON.stringify(passkey.toJSON());
        form.requestSubmit(event.submitter);
    } catch (refused) {
        const isHere = refused.name === "InvalidStateError";
        say(isHere ? "This device already has a passkey for you." : options.user ? "No passkey was added." : "No passkey was chosen. Sign in with a code by email.");
    }
});
