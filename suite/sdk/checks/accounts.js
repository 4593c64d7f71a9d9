import assert from "node:assert/strict";
import { refused } from "../world.js";

export async function accounts(world, check) {
    const { made } = world;
    const { MessageRejectedError } = world.library.AgentMail;
    const humanEmail = `human-${world.mode}@people.example`;
    const agent = () => world.clientWith(made.agentKey);

    await check("sign-up needs no key, and gives one with an inbox", async () => {
        const signed = await world.clientWith(undefined).agent.signUp({ humanEmail, username: world.name("agent"), source: "suite" });
        assert.equal(signed.inboxId, world.address("agent"));
        assert.match(signed.apiKey, /^inb_/);
        if (world.lastRequest) assert.equal(world.lastRequest.headers.get("authorization"), null);
        made.signed = signed;
        made.agentKey = signed.apiKey;
        assert.equal((await agent().auth.me()).organizationId, signed.organizationId);
        assert.equal((await agent().inboxes.list()).inboxes[0].inboxId, signed.inboxId);
        assert.equal((await agent().organizations.get()).authenticationType, "agent_unverified");
    });
    await check("faulty sign-ups are told apart", async () => {
        const { agent } = world.clientWith(undefined);
        await refused(agent.signUp({ humanEmail: "nobody", username: world.name("other") }), 400, "validation_error");
        await refused(agent.signUp({ humanEmail: `x-${humanEmail}`, username: "a b" }), 400, "validation_error");
        await refused(agent.signUp({ humanEmail: `x-${humanEmail}`, username: world.name("agent") }), 403, "resource_taken");
    });
    await check("until verified it may write to its human only, and has one inbox", async () => {
        const { messages } = agent().inboxes;
        const fault = await refused(messages.send(made.signed.inboxId, { to: "zoe@outside.example", text: "x" }),
            MessageRejectedError, "message_rejected");
        assert.match(fault.body.fix, /verify/);
        assert.ok((await messages.send(made.signed.inboxId, { to: humanEmail, text: "Hello, human." })).messageId);
        await refused(agent().inboxes.create(), 403, "limit_exceeded");
    });
    await check("a repeated sign-up gives a new key to the same inbox, and the old key dies", async () => {
        const again = await world.clientWith(undefined).agent.signUp({ humanEmail, username: "ignored" });
        assert.equal(again.organizationId, made.signed.organizationId);
        assert.equal(again.inboxId, made.signed.inboxId);
        assert.notEqual(again.apiKey, made.signed.apiKey);
        await refused(agent().auth.me(), 401, "unknown_api_key");
        made.agentKey = again.apiKey;
    });
    await check("a wrong or malformed code is 400", async () => {
        made.otp = await codeFor(world, humanEmail);
        const wrong = made.otp === "000000" ? "000001" : "000000";
        const fault = await refused(agent().agent.verify({ otpCode: wrong }), 400, "validation_error");
        assert.deepEqual(fault.body.errors[0].path, ["otp_code"]);
        await refused(agent().agent.verify({ otpCode: "12345" }), 400, "validation_error");
    });
    await check("the code from the human's mail verifies, once", async () => {
        assert.deepEqual({ ...(await agent().agent.verify({ otpCode: made.otp })) }, { verified: true });
        assert.equal((await agent().organizations.get()).authenticationType, "agent_verified");
        await refused(agent().agent.verify({ otpCode: made.otp }), 403, "missing_permission");
    });
    await check("verified, it writes to anybody, and a sign-up with its human is refused", async () => {
        assert.ok((await agent().inboxes.messages.send(made.signed.inboxId, { to: "zoe@outside.example", text: "x" })).messageId);
        const { agent: anonymous } = world.clientWith(undefined);
        const fault = await refused(anonymous.signUp({ humanEmail, username: world.name("third") }), 400, "validation_error");
        assert.deepEqual(fault.body.errors[0].path, ["human_email"]);
        assert.ok((await agent().auth.me()).apiKeyId, "the key lives on");
    });
    await check("another organization sees nothing of it", async () => {
        const { client } = world;
        await refused(client.inboxes.get(made.signed.inboxId), 404, "not_found");
        await refused(client.inboxes.messages.list(made.signed.inboxId), 404, "not_found");
        await refused(agent().inboxes.get(made.inbox.inboxId), 404, "not_found");
    });
}

/** The one-time code in the mail that the sandbox caught for that human. */
async function codeFor(world, humanEmail) {
    const isOtp = /(?<![\w.@-])\d{6}(?![\w.@-])/;
    const answer = await world.captured();
    const messages = Array.isArray(answer) ? answer : answer.messages;
    const mails = messages.map((message) => JSON.stringify(message)).filter((text) => text.includes(humanEmail));
    const code = mails.map((text) => isOtp.exec(text)).find(Boolean);
    assert.ok(code, `no code among ${mails.length} captured mails to ${humanEmail}`);
    return code[0];
}
