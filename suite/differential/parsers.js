// What two parsers from npm read in the messages named by the lines of standard input: one JSON object for each line.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";

const digest = (content) => {
    const octets = Buffer.from(content);
    return `${octets.length} ${createHash("sha256").update(octets).digest("hex").slice(0, 16)}`;
};
const people = (list) => (list ?? []).map(({ name, address }) => [name ?? "", address]);

async function postal(raw) {
    const mail = await PostalMime.parse(raw);
    return {
        subject: mail.subject ?? "", from: people([mail.from]), to: people(mail.to), text: mail.text, html: mail.html,
        files: mail.attachments.map((file) => [file.filename ?? "", file.mimeType, digest(file.content)]),
    };
}

async function nodemailer(raw) {
    const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true });
    return {
        subject: mail.subject ?? "", from: people(mail.from?.value), to: people(mail.to?.value), text: mail.text, html: mail.html || undefined,
        files: mail.attachments.map((file) => [file.filename ?? "", file.contentType, digest(file.content)]),
    };
}

for (const file of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const raw = readFileSync(file);
    console.log(JSON.stringify({ file, "postal-mime": await postal(raw), mailparser: await nodemailer(raw) }));
}
