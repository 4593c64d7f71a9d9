import { connect } from "node:net";
import { createInterface } from "node:readline";

/**
 * Sends one message over SMTP and returns the last reply, as text. A refused recipient ends the session: then its
 * refusal is what is returned. `data` is the message with CR LF line ends.
 */
export async function sendMail(port, { from, to, data }) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}); // shows as the end of the lines
    const lines = createInterface({ input: socket, crlfDelay: Infinity })[Symbol.asyncIterator]();
    const reply = async () => {
        for (;;) {
            const { value, done } = await lines.next();
            if (done) throw new Error("the server closed the connection");
            if (value[3] !== "-") return value; // RFC 5321 §4.2.1: a hyphen announces another line
        }
    };
    const say = (line) => {
        socket.write(`${line}\r\n`);
        return reply();
    };
    try {
        await reply();
        await say("EHLO client.example");
        await say(`MAIL FROM:<${from}>`);
        for (const recipient of [to].flat()) {
            const answer = await say(`RCPT TO:<${recipient}>`);
            if (!answer.startsWith("250")) return answer;
        }
        await say("DATA");
        // RFC 5321 §4.5.2: a leading dot is doubled.
        const answer = await say(`${data.replace(/^\./gm, "..")}${data.endsWith("\r\n") ? "" : "\r\n"}.`);
        await say("QUIT");
        return answer;
    } finally {
        socket.destroy();
    }
}
