import { createSocket } from "node:dgram";

const types = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 };

/** A name server on loopback (RFC 1035) that has the records it is given, and answers that everything else does not exist. */
export class NameServer {
    #records = [];
    #socket = createSocket("udp4");

    async start() {
        this.#socket.on("message", (query, from) => this.#socket.send(this.#answer(query), from.port, from.address));
        await new Promise((resolve) => this.#socket.bind(0, "127.0.0.1", resolve));
        this.setting = `127.0.0.1:${this.#socket.address().port}`;
    }

    stop() {
        this.#socket.close();
    }

    /** Publishes records in the form in which the interface shows them. */
    publish(records) {
        this.#records.push(...records);
    }

    #answer(query) {
        const end = query.indexOf(0, 12) + 5;
        const name = readName(query);
        const type = query.readUInt16BE(end - 4);
        const known = this.#records.filter((record) => record.name === name);
        const found = known.filter((record) => types[record.type] === type);
        const head = Buffer.from(query.subarray(0, 12));
        head.writeUInt16BE(known.length > 0 ? 0x8180 : 0x8183, 2);
        head.writeUInt16BE(found.length, 6);
        head.writeUInt32BE(0, 8);
        return Buffer.concat([head, query.subarray(12, end), ...found.map(resource)]);
    }
}

function readName(query) {
    const labels = [];
    for (let at = 12; query[at] > 0; at += query[at] + 1) {
        labels.push(query.toString("latin1", at + 1, at + 1 + query[at]));
    }
    return labels.join(".").toLowerCase();
}

/** One resource record; its name is the question's. */
function resource(record) {
    const data = content(record);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(types[record.type], 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(60, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
}

function content({ type, value, priority }) {
    if (type === "TXT") {
        const strings = value.match(/.{1,255}/g).map((text) => Buffer.from(text, "latin1"));
        return Buffer.concat(strings.flatMap((string) => [Buffer.from([string.length]), string]));
    }
    const labels = value.split(".").flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]);
    const name = Buffer.concat([...labels, Buffer.from([0])]);
    return type === "MX" ? Buffer.concat([Buffer.from([priority >> 8, priority & 255]), name]) : name;
}
