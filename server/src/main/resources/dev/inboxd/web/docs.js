// The reference without this script can be read. It adds search and copying.
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

all("[data-act=copy], .search").forEach((element) => (element.hidden = false));

document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-act=copy]");
    if (!button) return;
    const before = button.textContent;
    await navigator.clipboard.writeText(one(".code", button.parentElement).textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = before), 1500);
});

/** Shows what has every word that is looked for, and the topics that have some of it. */
function search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const entry of all("[data-words]")) {
        const has = entry.dataset.words.toLowerCase();
        entry.hidden = !words.every((word) => has.includes(word));
        if (!entry.hidden) found++;
    }
    for (const group of all("[data-group]")) {
        group.hidden = !one("[data-words]:not([hidden])", group);
    }
    one("#found").textContent = words.length ? `${found} found` : "";
}

/** What the address names is open. */
function open() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const details = one("details", target.closest("article") ?? target);
    if (details) details.open = true;
    target.scrollIntoView();
}

const field = one("#q");
if (field) field.addEventListener("input", () => search(field.value));
addEventListener("hashchange", open);
open();
