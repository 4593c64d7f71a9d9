import assert from "node:assert/strict";
import { Program } from "../program.js";

export const heading = "kill -9";

const enrolled = async (world) => {
    const inbox = await world.inbox();
    const person = await world.person();
    await person.open((await world.link(inbox, world.app, { accept_disclosure: true })).magic_url);
    await person.sees(`Signed in as ${inbox}`);
    return { inbox, person };
};

/** Kills the node that answers, and lets another one, or itself after a new start, go on. */
const replaced = async (world, by) => {
    const killed = world.front.node;
    if (by.isDown) await by.start();
    await killed.kill();
    if (by === killed) await by.start();
    world.front.node = by;
};

const walk = async (world, first, second) => {
    world.front.node = world.one;
    const { inbox, person } = await enrolled(world);
    const before = world.app.signIns.length;
    let kills = 0;
    world.front.before("/v0/authorize/continue", async () => {
        await replaced(world, first);
        kills++;
    });
    world.front.before("/v0/token", async () => {
        await replaced(world, second);
        kills++;
    });
    await person.open(`${world.app.url}/start`);
    await person.sees(`Signed in as ${inbox}`);
    assert.equal(kills, 2);
    assert.equal(world.app.signIns.length, before + 1);
    const { accounts } = await world.ok("GET", `/v0/inboxes/${inbox}/accounts`);
    assert.equal(accounts[0].sign_in_count, 2);
    await person.leaves();
};

export const checks = {
    "between approval and continue, and between code and token: goes on at the other node": async (world) => {
        await walk(world, world.two, world.one);
        await world.two.start();
    },
    "while a page waits: it goes on at the other node": async (world) => {
        world.front.node = world.one;
        const inbox = await world.inbox();
        const holder = await Program.register(world, inbox);
        const person = await world.person();
        await person.open(`${world.app.url}/start`);
        await person.sees("Waiting for an agent");
        const { transaction_jti } = JSON.parse((await person.action()).script);
        try {
            await world.one.kill();
            // For a moment nobody answers.
            await new Promise((resolve) => setTimeout(resolve, 1500));
            assert.ok((await person.sees("Waiting for an agent")).includes("auth_token"));
            world.front.node = world.two;
            assert.equal((await holder.approve(transaction_jti)).status, 204);
            await person.sees(`Signed in as ${inbox}`);
        } finally {
            await world.one.start();
            world.front.node = world.one;
            await person.leaves();
        }
    },
};

/** In the long form alone. */
export const long = {
    "between approval and continue, and between code and token: goes on after the restart": async (world) => {
        await walk(world, world.one, world.one);
    },
};
