import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ICAL from "ical.js";
import rrule from "rrule";

const run = promisify(execFile);
const program = fileURLToPath(new URL("reader.py", import.meta.url));
const seconds = (date) => date.toISOString().slice(0, 19) + "Z";

/** A date as programs are compared: its start and its end in UTC, or its first day, and its title. */
export const shown = (start, end, title) => `${start} ${end} ${title}`;

/** What ical.js reads in a feed: for each UID its dates in a window, by the zones that the feed itself defines. */
export class IcalReader {
    constructor(text) {
        const calendar = new ICAL.Component(ICAL.parse(text));
        ICAL.TimezoneService.reset();
        for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
        const components = calendar.getAllSubcomponents("vevent");
        const isEdit = (component) => component.hasProperty("recurrence-id");
        const uid = (component) => component.getFirstPropertyValue("uid");
        this.masters = new Map(components.filter((each) => !isEdit(each)).map((each) => [uid(each),
            new ICAL.Event(each, { strictExceptions: true, exceptions: components.filter((edit) => isEdit(edit) && uid(edit) === uid(each)) })]));
    }

    dates(uid, from, until) {
        const found = [];
        for (const [each, event] of this.masters) {
            if (each === uid || each.startsWith(`${uid}/`)) found.push(...this.#dates(event, from, until));
        }
        return found.sort();
    }

    #dates(event, from, until) {
        if (!event.isRecurring()) return [this.#shown(event.startDate, event.summary, event.endDate)];
        const found = [];
        // A date that was moved is told at its old place.
        const end = until.getTime() + 100 * 86_400_000;
        const dates = event.iterator();
        for (let next = dates.next(); next && next.toJSDate().getTime() < end; next = dates.next()) {
            const date = event.getOccurrenceDetails(next);
            const start = date.startDate.toJSDate();
            if (date.startDate.isDate || (start >= from && start < until)) found.push(this.#shown(date.startDate, date.item.summary, date.endDate));
        }
        return found;
    }

    #shown(time, title, end) {
        return time.isDate ? shown(time.toString(), "", title) : shown(seconds(time.toJSDate()), seconds(end.toJSDate()), title);
    }
}

/** What rrule makes of a rule: dates on the wall, for it knows no zones that are not the machine's. */
export function ruleDates({ start, rule, exdates = [], rdates = [] }, limit, localUntil) {
    const { RRule, RRuleSet, rrulestr } = rrule;
    const wall = (text) => new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
    const text = rule.replace(/UNTIL=[^;]*/, () => `UNTIL=${localUntil}`);
    const set = new RRuleSet();
    set.rrule(new RRule({ ...RRule.parseString(text), dtstart: wall(start) }));
    exdates.forEach((each) => set.exdate(wall(each)));
    rdates.forEach((each) => set.rdate(wall(each.start ?? each)));
    const found = [];
    set.all((date) => {
        if (date < limit) found.push(date.toISOString().slice(0, 19));
        return date < limit && found.length < 5_000;
    });
    return [...new Set(found)].sort();
}

/** What recurring-ical-events reads for each question; undefined when Debian's package is not installed. */
export async function pythonDates(file, questions) {
    const { stdout } = await run("/usr/bin/python3", ["-B", program, file, JSON.stringify(questions)], { maxBuffer: 1 << 28 });
    const answer = JSON.parse(stdout);
    return answer.missing ? undefined : answer;
}
