import assert from "node:assert/strict";
import { createServer } from "node:http";
import { eventually } from "../report.js";
import { refused } from "../world.js";

const table = "name;sum\nZoë;3\n";

/** Attachments by URL, their downloads in parts, and the text in them. */
export async function attachments(world, check) {
    const { client } = world;
    const { MessageRejectedError, ValidationError } = world.library.AgentMail;
    const { messages } = client.inboxes;
    const files = createServer((request, response) => {
        if (request.url === "/moved") return response.writeHead(302, { location: "/sums.csv" }).end();
        if (request.url === "/sums.csv") return response.writeHead(200, { "content-type": "text/csv" }).end(table);
        return response.writeHead(404).end();
    });
    await new Promise((resolve) => files.listen(0, "127.0.0.1", resolve));
    const url = (path) => `http://127.0.0.1:${files.address().port}${path}`;
    const { inboxId } = await client.inboxes.create({ username: world.name("attacher") });
    const send = (attachments) => messages.send(inboxId, { to: "zoe@outside.example", text: "See", attachments });
    let made;

    await check("send: an attachment by URL is fetched, over a redirect, and is the mail's own", async () => {
        const { messageId } = await send([{ url: url("/moved") }, { filename: "b.txt", content: Buffer.from("b").toString("base64") }]);
        const message = await messages.get(inboxId, messageId);
        assert.deepEqual(message.attachments.map((each) => each.filename), ["moved", "b.txt"]);
        assert.equal(message.attachments[0].contentType, "text/csv");
        made = { messageId, attachmentId: message.attachments[0].attachmentId };
        const { downloadUrl } = await messages.getAttachment(inboxId, messageId, made.attachmentId);
        assert.equal(await (await fetch(downloadUrl)).text(), table);
    });
    await check("a download in parts: 206 with its place, 416 behind the end", async () => {
        const { downloadUrl } = await messages.getAttachment(inboxId, made.messageId, made.attachmentId);
        const part = await fetch(downloadUrl, { headers: { range: "bytes=5-7" } });
        assert.equal(part.status, 206);
        assert.equal(part.headers.get("content-range"), `bytes 5-7/${Buffer.byteLength(table)}`);
        assert.equal(await part.text(), "sum");
        assert.equal((await fetch(downloadUrl, { headers: { range: "bytes=500-" } })).status, 416);
    });
    await check("the text of an attachment, when it was read", async () => {
        const { textUrl, text_url: passed } = await eventually("text_url", async () => {
            const attachment = await messages.getAttachment(inboxId, made.messageId, made.attachmentId);
            return (attachment.textUrl ?? attachment.text_url) && attachment;
        });
        assert.equal(await (await fetch(textUrl ?? passed)).text(), table);
    });
    await check("what cannot be fetched rejects the message; content and URL together are a mistake", async () => {
        await refused(send([{ url: url("/gone") }]), MessageRejectedError, "message_rejected");
        await refused(send([{ url: url("/sums.csv"), content: "AA==" }]), ValidationError, "validation_error");
    });
    files.closeAllConnections();
    files.close();
}
