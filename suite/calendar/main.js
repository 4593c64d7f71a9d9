import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Report } from "../sdk/report.js";
import { cases } from "./cases.js";
import { IcalReader, pythonDates, ruleDates, shown } from "./readers.js";
import { CalendarServer } from "./server.js";

const day = 86_400_000;
const frequencies = { YEARLY: 366 * 8, MONTHLY: 366 * 3, WEEKLY: 380, DAILY: 380, HOURLY: 60, MINUTELY: 20, SECONDLY: 20 };

/** Where the dates of a case are compared. */
function window({ start, rule, from, days, edits }) {
    const begin = Date.parse(`${from ?? start.slice(0, 10)}T00:00:00Z`) - (from ? 0 : 40 * day);
    const frequency = /FREQ=(\w+)/.exec(rule ?? "FREQ=DAILY")[1];
    const length = days ?? frequencies[frequency];
    return { from: new Date(begin), until: new Date(begin + (length + (edits ? 20 : 0) + 40) * day) };
}

/** Differences that are known, by program and case, each with its reason. */
async function knownDifferences() {
    const known = new Map();
    for (const line of (await readFile(new URL("known.txt", import.meta.url), "utf8")).split("\n")) {
        const [program, name, reason] = line.split(" | ");
        if (reason && !line.startsWith("#")) known.set(`${program} | ${name}`, reason);
    }
    return known;
}

/** UNTIL as it is on the wall of a zone, for a program that knows the wall alone. */
function untilOnTheWall({ zone, rule, all_day }) {
    const text = /UNTIL=(\d{8})(?:T(\d{6})Z)?/.exec(rule ?? "");
    if (!text) return undefined;
    if (all_day) return `${text[1]}T000000Z`;
    const [, date, time] = text;
    const at = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`);
    const parts = Object.fromEntries(new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit",
        day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" }).formatToParts(at).map(({ type, value }) => [type, value]));
    return `${parts.year}${parts.month}${parts.day}T${parts.hour}${parts.minute}${parts.second}Z`;
}

const difference = (expected, found) => {
    const at = expected.findIndex((each, index) => each !== found[index]);
    const place = at < 0 ? expected.length : at;
    return `${expected.length} dates, it has ${found.length}; number ${place + 1} is ${expected[place]}, and there ${found[place]}`;
};

const report = new Report();
const server = new CalendarServer();
const known = await knownDifferences();
const unused = new Set(known.keys());

/** Compares. What is known may differ; whether it does depends on the year that the cases are in. */
async function compare(program, name, expected, find) {
    const key = `${program} | ${name}`;
    unused.delete(key);
    report.heading = program;
    await report.check(name, async () => {
        const found = await find();
        const same = expected.length === found.length && expected.every((each, index) => each === found[index]);
        if (same && known.has(key)) console.log(`note  ${key} agrees this year`);
        if (!same && !known.has(key)) throw new Error(difference(expected, found));
    });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)));
}
const folder = await mkdtemp(join(tmpdir(), "inboxd-calendar-"));
try {
    await server.start();
    const calendar = await server.calendar();
    const made = [];
    for (const each of cases) {
        report.heading = "server";
        const { from, until } = window(each);
        await report.check(`makes ${each.name}`, async () => {
            const event = await server.make(calendar, each);
            const dates = await server.dates(calendar, event, from, until);
            if (dates.length === 0) throw new Error("no dates");
            const utc = (time) => time.replace(".000Z", "Z");
            const expected = dates.map((date) => date.all_day ? shown(date.start, "", date.title)
                : shown(utc(date.start_at), utc(date.end_at), date.title)).sort();
            made.push({ ...each, event, dates, expected: inWindow(expected, from, until), window: { from, until } });
        });
    }
    const text = await server.feed(calendar);
    const file = join(folder, "feed.ics");
    await writeFile(file, text);
    const ical = new IcalReader(text);
    // It takes the ends of a window for times on the wall.
    const wall = (time, days) => new Date(time.getTime() + days * day).toISOString().slice(0, 19);
    const python = await pythonDates(file, made.map(({ event, window: { from, until } }) => ({
        uid: event.uid, from: wall(from, -2), until: wall(until, 2) })));
    if (!python) console.log("suite calendar: Debian's python3-recurring-ical-events is not here, so it does not read");
    for (const each of made) {
        const { name, event, expected, window: { from, until } } = each;
        await compare("ical.js", name, expected, () => inWindow(ical.dates(event.uid, from, until), from, until));
        if (python) await compare("recurring-ical-events", name, expected, () => inWindow(python[event.uid], from, until));
        if (each.rule && !each.edits) {
            const slots = each.dates.map((date) => slotTime(date.event_id)).sort();
            await compare("rrule", name, slots, () =>
                ruleDates(each, new Date(until.getTime() + day), untilOnTheWall(each)).filter((wall) => wall >= slots[0] && wall <= slots.at(-1)));
        }
    }
    report.heading = "known.txt";
    await report.check("names cases that there are", async () => {
        const stale = process.env.TEST_EVERYTHING ? [...unused].filter((key) => python || !key.startsWith("recurring")) : [];
        if (stale.length > 0) throw new Error(`nothing is called ${stale.join(", ")}`);
    });
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    report.heading = "suite";
    await report.check("SIGTERM ends the server with status 0", () => server.stop());
    await rm(folder, { recursive: true, force: true });
}
if (report.failed > 0) {
    console.log(`The server said, at last:\n${server.lastLines(30)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);

/** Those that begin in a window; a day is in it by its date. */
function inWindow(dates, from, until) {
    return dates.filter((each) => {
        const start = Date.parse(each.split(" ")[0]);
        return Number.isNaN(start) || (start >= from.getTime() && start < until.getTime());
    });
}

function slotTime(id) {
    const [, date, time = "000000"] = /_[td](\d{8})(?:T(\d{6}))?$/.exec(id);
    return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`;
}
