import assert from "node:assert/strict";
import { letter, mail, supervisor } from "./console.js";

export const heading = "lists";

/** An inbox with some mail, and somebody at its page. */
async function full(world, count, path = "") {
    const inbox = await world.inbox();
    for (let i = 0; i < count; i++) await mail(world, inbox, letter(`${inbox}-${i}`, `About ${i} of ${inbox.split("@")[0]}`, `The wanderlust of ${i}.`));
    const person = await supervisor(world, `/inboxes/${inbox}${path}`);
    await person.page.setViewport({ width: 1440, height: 900 });
    await person.page.waitForFunction((rows) => document.querySelectorAll("[data-row]").length === rows, {}, count);
    return { inbox, person };
}

const heading1 = (person) => person.page.$eval("#reading h1", (title) => title.textContent);

export const checks = {
    "a wide screen has twenty rows, and the conversation beside its list": async (world) => {
        const { inbox, person } = await full(world, 22);
        const { keyboard } = person.page;
        const seen = await person.page.evaluate(() => [...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
        assert.ok(seen >= 20, `${seen} rows are seen`);
        await keyboard.press("j");
        await keyboard.press("o");
        await person.page.waitForSelector("#reading h1");
        const first = await heading1(person);
        await person.looks("console-beside");
        await person.page.setViewport({ width: 1440, height: 900 });
        await person.page.click(".row a[data-row]");
        await person.page.waitForSelector("#reading h1");
        await keyboard.press("j");
        await person.page.waitForFunction((last) => document.querySelector("#reading h1").textContent !== last, {}, first);
        await keyboard.press("e");
        await person.page.waitForFunction(() => /Mark as unread/.test(document.querySelector("#reading").textContent));
        await person.page.waitForFunction(() => document.querySelectorAll(".row.unread").length === 21);
        assert.equal(new URL(person.page.url()).pathname, `/console/inboxes/${encodeURIComponent(inbox).replace("%40", "@")}`);
        await person.page.reload();
        await person.page.waitForSelector("#reading h1");
        await keyboard.press("Escape");
        await person.page.waitForFunction(() => !document.querySelector("#reading"));
        await person.leaves();
    },
    "what is written beside a list stays until it is sent, and is sent once": async (world) => {
        const { inbox, person } = await full(world, 3);
        const { page } = person;
        await page.click(".row a[data-row]");
        await page.waitForFunction(() => document.activeElement.id === "reading");
        const first = await heading1(person);
        await page.type("#reading textarea", "Yes, please.");
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("j");
        assert.match(person.errors.pop() ?? "", /: dialog$/, "whoever leaves what was written is asked");
        assert.equal(await heading1(person), first);
        const answers = async (id) => {
            await page.$eval("#reading form:has(textarea) [name=message_id]", (field, value) => (field.value = value), id);
            await page.$eval("#reading button[value=reply]", (button) => {
                button.click();
                button.click();
            });
        };
        const id = await page.$eval("#reading form:has(textarea) [name=message_id]", (field) => field.value);
        await answers("<none@shop.example>");
        await person.sees("not found");
        assert.equal(await page.$eval("#reading textarea", (field) => field.value), "Yes, please.");
        await answers(id);
        await person.sees("The message is on its way");
        const { count } = await world.ok("GET", `/v0/inboxes/${inbox}/messages?labels=sent`);
        assert.equal(count, 1);
        await page.evaluate(() => history.back());
        await page.waitForFunction(() => !document.querySelector("#reading"));
        assert.match(page.url(), /\/inboxes\/[^/]+$/);
        await person.leaves();
    },
    "the conversation beside a list is that of the marked row, however quick the keys": async (world) => {
        const { person } = await full(world, 3);
        const { page } = person;
        await page.evaluate(() => {
            const real = window.fetch;
            let number = 0;
            window.fetch = async (url, ...more) => {
                const answer = await real(url, ...more);
                if (/threads/.test(url) && number++ === 1) await new Promise((late) => setTimeout(late, 500));
                return answer;
            };
        });
        await page.click(".row a[data-row]");
        await page.waitForSelector("#reading h1");
        for (const key of ["j", "j"]) await page.keyboard.press(key);
        await page.waitForFunction(() => document.querySelector("#reading h1").textContent === document.querySelector(".row.at .what b").textContent);
        await page.evaluate(() => new Promise((late) => setTimeout(late, 700)));
        assert.equal(await heading1(person), await page.$eval(".row.at .what b", (subject) => subject.textContent));
        await person.leaves();
    },
    "several are picked by click, shift and x, deleted and had back": async (world) => {
        const { person } = await full(world, 5);
        const { page } = person;
        const boxes = await page.$$("[name=pick]");
        await boxes[1].click();
        await page.keyboard.down("Shift");
        await boxes[3].click();
        await page.keyboard.up("Shift");
        await person.sees("3 selected");
        await page.evaluate(() => document.activeElement.blur());
        for (const key of ["j", "x"]) await page.keyboard.press(key);
        await person.sees("4 selected");
        await person.looks("console-picked");
        await page.setViewport({ width: 1000, height: 900 });
        await person.clicks("Delete…");
        await Promise.all([page.waitForNavigation(), person.clicks("Delete selected")]);
        await person.sees("Moved to the trash");
        assert.equal((await page.$$("[data-row]")).length, 1);
        await page.setViewport({ width: 1440, height: 900 });
        await page.click(".row a[data-row]");
        await page.waitForSelector("#reading h1");
        await person.clicks("Undo"); // it stays while one reads
        await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 5);
        await person.leaves();
    },
    "who comes back from a conversation finds the filter, the row and the scroll": async (world) => {
        const { inbox, person } = await full(world, 12, "?tab=unread");
        const { page } = person;
        await page.setViewport({ width: 390, height: 500 });
        await page.evaluate(() => scrollTo(0, 400));
        const path = await page.$eval("[data-row]", (row) => row.pathname);
        await Promise.all([page.waitForNavigation(), page.evaluate(() => document.querySelector("[data-row]").click())]);
        await Promise.all([page.waitForNavigation(), page.keyboard.press("u")]);
        assert.match(page.url(), new RegExp(`/console/inboxes/${inbox}\\?tab=unread$`));
        assert.equal(await page.$eval(".row.at a", (row) => row.pathname), path);
        assert.equal(await page.evaluate(() => Math.round(scrollY)), 400);
        await person.leaves();
    },
    "words and filters are looked for together, from the page and from the palette of any page": async (world) => {
        const { inbox, person } = await full(world, 2);
        const { page } = person;
        const name = inbox.split("@")[0];
        await person.open(`${world.one.url}/console/mail`);
        await page.type("#q", `wanderlust from:jo in:${inbox}`);
        await page.waitForFunction(() => document.querySelectorAll(".hit").length >= 2);
        await page.type("#q", " waiting:me");
        await person.sees("cannot be combined");
        await person.looks("console-search");
        await page.setViewport({ width: 1440, height: 900 });
        await person.open(`${world.one.url}/console/webhooks`);
        await page.keyboard.down("Control");
        await page.keyboard.press("k");
        await page.keyboard.up("Control");
        await page.waitForSelector("#palette[open]");
        await page.keyboard.type(`about 1 of ${name}`);
        await page.waitForFunction(() => /About 1 of/.test(document.querySelector("#palette div").textContent));
        assert.ok(await page.$("#palette div a[href*='mail?zone=']"), "days of a search from the palette begin where the person is");
        await person.looks("console-palette");
        await page.focus("#palette input");
        await page.keyboard.press("ArrowDown");
        await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
        await person.sees(`About 1 of ${name}`);
        assert.match(page.url(), /\/threads\//);
        await person.leaves();
    },
    "without JavaScript mail is searched, picked and changed by pages alone": async (world) => {
        const inbox = await world.inbox();
        await mail(world, inbox, letter(`bare-${inbox}`, "Bare", "Nothing but pages."));
        const person = await world.person();
        await person.page.setJavaScriptEnabled(false);
        await person.open(world.one.console);
        await person.open(`${world.one.url}/console/mail?q=from%3Ajo+in%3A${inbox}`);
        await person.page.click("[name=pick]");
        await Promise.all([person.page.waitForNavigation(), person.page.click("[value=read-picked]")]);
        assert.match(await person.page.content(), /All selected conversations are changed/);
        assert.doesNotMatch(await person.page.content(), /class="row unread/);
        await person.leaves();
    },
};
