import assert from "node:assert/strict";
import { Program } from "../program.js";

export const heading = "waiting page";

const waiting = async (world, app = world.app) => {
    const person = await world.person();
    await person.open(`${app.url}/start`);
    await person.sees("This browser has no key of an inbox");
    return { person, action: JSON.parse((await person.action()).script) };
};

export const checks = {
    "an agent authorizes with its API key, and the page goes on by itself": async (world) => {
        const inbox = await world.inbox();
        const { person, action } = await waiting(world);
        // What an agent reads who looks at the page.
        assert.ok((await person.sees("/authorize")).includes(action.auth_token));
        await person.looks("waiting");
        const answer = await world.ok("POST", `/v0/inboxes/${inbox}/authorize`, { auth_token: action.auth_token });
        assert.equal(answer.instructions, "Authorization complete. Return to browser.");
        assert.ok((await person.sees("will learn")).includes(inbox));
        await person.clicks("Share and continue");
        await person.sees(`Signed in as ${inbox}`);
        assert.equal((await person.page.goto(`${world.front.url}/connect`)).status(), 200);
        assert.equal((await person.keys()).length, 1);
        await person.leaves();
    },
    "a holder of a registered key approves from elsewhere, and the page goes on by itself": async (world) => {
        const inbox = await world.inbox();
        const holder = await Program.register(world, inbox);
        const { person, action } = await waiting(world);
        assert.equal((await holder.approve(action.transaction_jti)).status, 204);
        await person.sees(`Signed in as ${inbox}`);
        assert.equal((await holder.approve(action.transaction_jti)).status, 409);
        await person.leaves();
    },
    "an app with the longest name asks for the owner": async (world) => {
        const inbox = await world.inbox("a".repeat(60));
        const { person, action } = await waiting(world, world.curious);
        await person.looks("waiting-wide");
        await world.ok("POST", `/v0/inboxes/${inbox}/authorize`, { auth_token: action.auth_token });
        await person.sees("will learn");
        await person.looks("disclosure-wide");
        await person.clicks("Share and continue");
        await person.sees(`Signed in as ${inbox}`);
        await person.leaves();
        const other = await world.person();
        await other.open(`${world.curious.url}/mail?to=${encodeURIComponent((await world.link(inbox, world.curious)).magic_url)}`);
        await other.clicks("Sign in");
        await other.sees("Sign in as");
        await other.looks("connect-asks-wide");
        await other.leaves();
    },
};
