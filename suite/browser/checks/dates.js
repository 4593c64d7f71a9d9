import assert from "node:assert/strict";
import { letter, supervisor, thread } from "./console.js";

export const heading = "queue and calendar";

const leads = (person, text) => Promise.all([person.page.waitForNavigation(), person.clicks(text)]);

const invitation = (inbox, method, sequence, more = "") => `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//shop//EN
METHOD:${method}
BEGIN:VEVENT
UID:call-${inbox}
SEQUENCE:${sequence}
DTSTAMP:2031010${sequence + 1}T000000Z
DTSTART:20350301T100000Z
DTEND:20350301T110000Z
SUMMARY:Call about chairs
LOCATION:Room 4
ORGANIZER:mailto:jo@shop.example
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${inbox}
${more}END:VEVENT
END:VCALENDAR`;

const calendar = (method) => `MIME-Version: 1.0\nContent-Type: text/calendar; method=${method}; charset=utf-8\n`;

export const checks = {
    "mail that waits is tried again by one button": async (world) => {
        const inbox = await world.inbox();
        await world.ok("POST", `/v0/inboxes/${inbox}/messages/send`, { to: "delay-4h@sandbox.test", subject: "Waits for you", text: "Hi" });
        const person = await supervisor(world, "/queue");
        await person.sees("Waits for you");
        await person.looks("console-waits");
        await leads(person, "Retry now");
        await person.sees("Due now. It is sent");
        await leads(person, "Retry all now");
        await person.leaves();
    },
    "an event is planned, opened and cancelled with a question": async (world) => {
        const inbox = await world.inbox();
        const person = await supervisor(world, `/inboxes/${inbox}/calendar?month=2031-01`);
        await person.sees("January 2031");
        await person.clicks("New event…");
        await person.page.type("input[name=title]", "Talk about chairs");
        await person.page.$eval("input[name=start]", (field) => (field.value = "2031-01-02T14:00"));
        await person.page.$eval("input[name=end]", (field) => (field.value = "2031-01-02T15:00"));
        await person.looks("console-planning");
        await leads(person, "Create event");
        await person.sees("Talk about chairs");
        await person.open(await person.page.$eval(".month a", (link) => link.href)); // the page reads itself again meanwhile
        await person.looks("console-event");
        await person.clicks("Cancel event…");
        await person.page.waitForSelector("button[value=cancel]", { visible: true });
        await Promise.all([person.page.waitForNavigation(), person.page.click("button[value=cancel]")]);
        assert.doesNotMatch(await person.page.content(), /Talk about chairs/);
        await person.page.click("[aria-label='December 2030']");
        await person.sees("December 2030");
        await person.leaves();
    },
    "an invitation is a card that is accepted where it is read, and says when it is called off": async (world) => {
        const inbox = await world.inbox();
        const arrives = async (id, method, sequence, more) => {
            const raw = letter(id, "Call", invitation(inbox, method, sequence, more), `In-Reply-To: <invited@shop.example>\n${calendar(method)}`);
            await world.ok("POST", "/sandbox/messages", { inbox_id: inbox, from: "jo@shop.example", raw: Buffer.from(raw).toString("base64"), authentication: "pass" });
        };
        await arrives("invited", "REQUEST", 0);
        const id = await thread(world, inbox, "invited");
        const person = await supervisor(world, `/inboxes/${inbox}/threads/${id}`);
        await person.sees("Organizer: jo@shop.example");
        await person.looks("console-card");
        await leads(person, "Accept");
        await person.sees("You answered:");
        await arrives("off", "CANCEL", 1, "STATUS:CANCELLED\n");
        await person.open(person.page.url());
        await person.sees("Cancelled");
        assert.equal(await person.page.$("button[value=declined]"), null);
        await person.looks("console-called-off");
        await person.leaves();
    },
};
